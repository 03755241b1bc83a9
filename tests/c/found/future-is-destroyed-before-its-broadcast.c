//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=unsafe
//@ why:     a worker says under the lock that the result is there, and wakes who waits after it gave the lock back; until then the future may be gone, as in a public thread pool
#include <pthread.h>
#include <stdlib.h>

struct future {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int is_ready;
};

static void *work(void *argument) {
    struct future *future = argument;
    pthread_mutex_lock(&future->lock);
    future->is_ready = 1;
    pthread_mutex_unlock(&future->lock);
    pthread_cond_broadcast(&future->ready);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct future *future = calloc(1, sizeof *future);
    pthread_mutex_init(&future->lock, NULL);
    pthread_cond_init(&future->ready, NULL);
    pthread_create(&thread, NULL, work, future);
    pthread_mutex_lock(&future->lock);
    while (!future->is_ready)
        pthread_cond_wait(&future->ready, &future->lock);
    pthread_mutex_unlock(&future->lock);
    pthread_cond_destroy(&future->ready);
    pthread_mutex_destroy(&future->lock);
    free(future);
    pthread_join(thread, NULL);
    return 0;
}
