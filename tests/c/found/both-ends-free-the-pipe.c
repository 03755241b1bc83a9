//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=unsafe
//@ why:     the last producer and the last consumer count down under two locks, and each sees that the other is gone, as in a public pipe
#include <pthread.h>
#include <stdlib.h>

struct pipe {
    pthread_mutex_t begin, end;
    int producers, consumers;
};

static struct pipe *pipe_made;

static void leave(pthread_mutex_t *own, int *count, pthread_mutex_t *other, int *others) {
    pthread_mutex_lock(own);
    int left = --*count;
    pthread_mutex_unlock(own);
    if (left > 0)
        return;
    pthread_mutex_lock(other);
    int others_left = *others;
    pthread_mutex_unlock(other);
    if (others_left > 0)
        return;
    pthread_mutex_destroy(&pipe_made->begin);
    pthread_mutex_destroy(&pipe_made->end);
    free(pipe_made);
}

static void *produce(void *argument) {
    struct pipe *pipe = argument;
    leave(&pipe->begin, &pipe->producers, &pipe->end, &pipe->consumers);
    return 0;
}

int main(void) {
    struct pipe *pipe = malloc(sizeof *pipe);
    if (!pipe)
        return 1;
    pthread_mutex_init(&pipe->begin, 0);
    pthread_mutex_init(&pipe->end, 0);
    pipe->producers = pipe->consumers = 1;
    pipe_made = pipe;
    pthread_t producer;
    pthread_create(&producer, 0, produce, pipe);
    leave(&pipe->end, &pipe->consumers, &pipe->begin, &pipe->producers);
    pthread_join(producer, 0);
    return 0;
}
