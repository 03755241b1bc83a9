//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each counter has the lock with its own index, and all threads use the second
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counters[2];

static void *work(void *unused) {
    for (int turn = 0; turn < TURNS; turn++) {
        pthread_mutex_lock(&locks[1]);
        counters[1]++;
        pthread_mutex_unlock(&locks[1]);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counters[1] == THREADS * TURNS);
    return 0;
}
