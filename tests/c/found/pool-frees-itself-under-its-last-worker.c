//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     whoever destroys the pool sees no worker left while the last one still unlocks, as in a public thread pool
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    atomic_int alive;
};

static void *work(void *argument) {
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    pool->alive--;
    pthread_mutex_unlock(&pool->lock);
    return 0;
}

int main(void) {
    struct pool *pool = malloc(sizeof *pool);
    if (!pool)
        return 1;
    pthread_mutex_init(&pool->lock, 0);
    atomic_init(&pool->alive, 1);
    pthread_t worker;
    pthread_create(&worker, 0, work, pool);
    pthread_detach(worker);
    while (pool->alive)
        ;
    free(pool);
    return 0;
}
