//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the time may pass before the thread sets the flag
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &end);
    assert(ready);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
