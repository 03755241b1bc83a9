#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdbool.h>

enum { QUEUE_ROOM = 2 };

struct queue {
    pthread_mutex_t lock;
    int values[QUEUE_ROOM];
    int first, count;
};

void queue_init(struct queue *queue);
bool queue_push(struct queue *queue, int value);
bool queue_pop(struct queue *queue, int *value);
int queue_count(struct queue *queue);

#endif
