//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each counter has a lock of its own
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TURNS
#define TURNS 2
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *work(void *unused) {
    for (int turn = 0; turn < TURNS; turn++) {
        pthread_mutex_lock(&first_lock);
        first++;
        pthread_mutex_unlock(&first_lock);
        pthread_mutex_lock(&second_lock);
        second++;
        pthread_mutex_unlock(&second_lock);
    }
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(first == THREADS * TURNS);
    assert(second == THREADS * TURNS);
    return 0;
}
