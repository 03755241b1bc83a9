//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the condition variable made by `pthread_cond_init` is destroyed when all who wait are woken
#include <pthread.h>

static pthread_cond_t c;

int main(void) {
    pthread_cond_init(&c, NULL);
    pthread_cond_destroy(&c);
    pthread_cond_broadcast(&c);
    return 0;
}
