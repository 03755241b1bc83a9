//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the lock lies in the struct that it protects
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif

static struct account {
    pthread_mutex_t lock;
    int counter;
} account = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *work(void *argument) {
    struct account *it = argument;
    for (int turn = 0; turn < TURNS; turn++) {
        pthread_mutex_lock(&it->lock);
        it->counter++;
        pthread_mutex_unlock(&it->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &account);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(account.counter == THREADS * TURNS);
    return 0;
}
