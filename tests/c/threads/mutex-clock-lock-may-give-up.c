//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the other thread may hold the mutex for too long
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &end) == 0);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
