//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the barrier is destroyed when it is waited at
#include <pthread.h>

static pthread_barrier_t b;

int main(void) {
    pthread_barrier_init(&b, NULL, 1);
    pthread_barrier_destroy(&b);
    pthread_barrier_wait(&b);
    return 0;
}
