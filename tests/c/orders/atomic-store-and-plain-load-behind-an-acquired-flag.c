//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the flag is released after the atomic store and acquired before the plain load
#include <pthread.h>

static int data, flag;

static void *send(void *unused) {
    __atomic_store_n(&data, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t thread;
    int got = 0;
    pthread_create(&thread, 0, send, 0);
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
        got = data;
    pthread_join(thread, 0);
    return got;
}
