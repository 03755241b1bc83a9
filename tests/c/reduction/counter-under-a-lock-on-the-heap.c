//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     counter and lock are one object on the heap
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif

struct account {
    pthread_mutex_t lock;
    int counter;
};

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
    struct account *account = malloc(sizeof *account);
    pthread_mutex_init(&account->lock, NULL);
    account->counter = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, account);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(account->counter == THREADS * TURNS);
    pthread_mutex_destroy(&account->lock);
    free(account);
    return 0;
}
