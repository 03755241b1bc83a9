//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     a bit-field is written with its neighbours, by a load and a store of the unit that holds it
#include <pthread.h>

static volatile struct {
    unsigned low : 4, high : 4;
} bits;

static void *writer(void *unused) {
    bits.low = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    bits.low = 2;
    pthread_join(thread, NULL);
    return 0;
}
