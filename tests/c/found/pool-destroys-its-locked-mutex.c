//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the pool takes its lock for the last time and destroys it without giving it back, as in a public thread pool
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    int *queue;
};

static int pool_free(struct pool *pool) {
    if (!pool->queue)
        return -1;
    free(pool->queue);
    pthread_mutex_lock(&pool->lock);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
    return 0;
}

int main(void) {
    struct pool *pool = malloc(sizeof *pool);
    if (!pool)
        return 1;
    pthread_mutex_init(&pool->lock, 0);
    pool->queue = malloc(4 * sizeof *pool->queue);
    if (!pool->queue) {
        free(pool);
        return 1;
    }
    return pool_free(pool);
}
