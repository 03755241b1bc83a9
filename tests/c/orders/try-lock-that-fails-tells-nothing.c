//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main learns from EBUSY that the thread has the mutex, and has written `x`; but a lock that was not taken orders nothing (C17 7.26.4.5, POSIX XBD 4.12)
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, seen;

static void *work(void *unused) {
    x = 1;
    pthread_mutex_lock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_mutex_trylock(&m) == EBUSY)
        seen = x;
    else
        pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
