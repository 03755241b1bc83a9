/* A pool of threads that run tasks, first come, first served. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdbool.h>

#define POOL_THREADS 2
#define POOL_ROOM 2

typedef void (*pool_task)(void *argument);

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct {
        pool_task run;
        void *argument;
    } waiting[POOL_ROOM];
    int first, count;
    bool stops;
    pthread_t threads[POOL_THREADS];
};

void pool_start(struct pool *pool);

/* False if there is no room for the task. */
bool pool_submit(struct pool *pool, pool_task run, void *argument);

/* Runs what is waiting, and ends the threads. */
void pool_stop(struct pool *pool);

#endif
