//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the pool lies in memory of the heap and its mutex is never initialised, as in a public thread pool
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    int jobs;
};

int main(void) {
    struct pool *pool = malloc(sizeof *pool);
    if (!pool)
        return 1;
    pool->jobs = 0;
    pthread_mutex_lock(&pool->lock);
    pool->jobs++;
    pthread_mutex_unlock(&pool->lock);
    free(pool);
    return 0;
}
