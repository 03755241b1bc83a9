#include "pool.h"

#include <stddef.h>

static void *work(void *argument)
{
    struct pool *pool = argument;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        while (pool->count == 0 && !pool->stops)
            pthread_cond_wait(&pool->changed, &pool->lock);
        if (pool->count == 0) {
            pthread_mutex_unlock(&pool->lock);
            return NULL;
        }
        pool_task run = pool->waiting[pool->first].run;
        void *its = pool->waiting[pool->first].argument;
        pool->first = (pool->first + 1) % POOL_ROOM;
        pool->count--;
        pthread_mutex_unlock(&pool->lock);
        run(its);
    }
}

void pool_start(struct pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    pool->first = 0;
    pool->count = 0;
    pool->stops = false;
    for (int i = 0; i < POOL_THREADS; i++)
        pthread_create(&pool->threads[i], NULL, work, pool);
}

bool pool_submit(struct pool *pool, pool_task run, void *argument)
{
    pthread_mutex_lock(&pool->lock);
    bool has_room = pool->count < POOL_ROOM;
    if (has_room) {
        int last = (pool->first + pool->count) % POOL_ROOM;
        pool->waiting[last].run = run;
        pool->waiting[last].argument = argument;
        pool->count++;
        pthread_cond_signal(&pool->changed);
    }
    pthread_mutex_unlock(&pool->lock);
    return has_room;
}

void pool_stop(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->stops = true;
    pthread_cond_signal(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < POOL_THREADS; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
}
