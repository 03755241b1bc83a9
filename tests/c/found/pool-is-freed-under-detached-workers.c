//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=unsafe
//@ why:     workers are detached, and whoever destroys the pool wakes them and frees it without waiting for them, as in a public thread pool
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int is_running;
};

static void *work(void *argument) {
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (pool->is_running)
        pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

int main(void) {
    struct pool *pool = malloc(sizeof *pool);
    if (!pool)
        return 1;
    pthread_mutex_init(&pool->lock, 0);
    pthread_cond_init(&pool->changed, 0);
    pool->is_running = 1;
    pthread_t worker;
    pthread_create(&worker, 0, work, pool);
    pthread_detach(worker);
    pool->is_running = 0;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->changed);
    free(pool);
    pthread_exit(0);
}
