//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     joining cannot be given up
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_timedjoin_np(thread, NULL, &end) != 0)
        pthread_join(thread, NULL);
    return 0;
}
