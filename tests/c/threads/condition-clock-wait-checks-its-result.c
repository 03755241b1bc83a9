//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     it leaves the loop only if the flag is set or the time is over
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
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
    int error = 0;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&m);
    while (!ready && error == 0)
        error = pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &end);
    assert(ready || error == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
