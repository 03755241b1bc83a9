#include "queue.h"

void queue_init(struct queue *queue)
{
    pthread_mutex_init(&queue->lock, NULL);
    queue->first = 0;
    queue->count = 0;
}

bool queue_push(struct queue *queue, int value)
{
    pthread_mutex_lock(&queue->lock);
    bool has_room = queue->count < QUEUE_ROOM;
    if (has_room) {
        queue->values[(queue->first + queue->count) % QUEUE_ROOM] = value;
        queue->count++;
    }
    pthread_mutex_unlock(&queue->lock);
    return has_room;
}

bool queue_pop(struct queue *queue, int *value)
{
    pthread_mutex_lock(&queue->lock);
    bool has_value = queue->count > 0;
    if (has_value) {
        *value = queue->values[queue->first];
        queue->first = (queue->first + 1) % QUEUE_ROOM;
        queue->count--;
    }
    pthread_mutex_unlock(&queue->lock);
    return has_value;
}

int queue_count(struct queue *queue)
{
    return queue->count;
}
