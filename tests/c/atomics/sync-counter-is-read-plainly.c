//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main reads without an atomic access while the thread adds
#include <pthread.h>

static int x, seen;

static void *work(void *unused) {
    __sync_fetch_and_add(&x, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    seen = x;
    pthread_join(thread, NULL);
    return 0;
}
