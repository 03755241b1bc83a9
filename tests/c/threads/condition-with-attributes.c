//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a clock for timed waits changes nothing
#include <assert.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_cond_t c;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    assert(pthread_cond_init(&c, &attributes) == 0);
    pthread_condattr_destroy(&attributes);
    pthread_cond_broadcast(&c);
    pthread_cond_destroy(&c);
    return 0;
}
