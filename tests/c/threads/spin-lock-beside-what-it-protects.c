//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the spin lock is four bytes large, and the number behind it is no part of it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_spinlock_t lock;
    int number;
};

static void *work(void *argument) {
    struct counter *counter = argument;
    pthread_spin_lock(&counter->lock);
    counter->number++;
    pthread_spin_unlock(&counter->lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct counter *counter = malloc(sizeof *counter);
    assert(sizeof *counter == 8);
    counter->number = 0;
    pthread_spin_init(&counter->lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, counter);
    work(counter);
    pthread_join(thread, NULL);
    assert(counter->number == 2);
    pthread_spin_destroy(&counter->lock);
    free(counter);
    return 0;
}
