//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main waits for a while at most, holds the mutex whatever came, and knows whether it was signalled
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m;
static pthread_cond_t c;
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
    pthread_mutex_init(&m, NULL);
    assert(pthread_cond_init(&c, NULL) == 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&m);
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&c, &m, &end);
    assert(ready || error == ETIMEDOUT);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    assert(pthread_cond_destroy(&c) == 0);
    return 0;
}
