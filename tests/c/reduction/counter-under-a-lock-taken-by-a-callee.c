//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the lock is taken and given back by functions of its own
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void enter(pthread_mutex_t *it) { pthread_mutex_lock(it); }

static void leave(pthread_mutex_t *it) { pthread_mutex_unlock(it); }

static void *work(void *unused) {
    for (int turn = 0; turn < TURNS; turn++) {
        enter(&lock);
        counter++;
        leave(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS * TURNS);
    return 0;
}
