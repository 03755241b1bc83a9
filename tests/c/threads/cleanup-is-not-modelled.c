//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown
//@ why:     handlers run when a thread is cancelled, which is not modelled
#define _GNU_SOURCE
#include <pthread.h>

static void handler(void *unused) {
}

int main(void) {
    pthread_cleanup_push(handler, NULL);
    pthread_cleanup_pop(0);
    return 0;
}
