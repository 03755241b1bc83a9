//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     each thread may run the routine that the other waits for, whatever main does; under gcc both wait for ever
#include <pthread.h>

static pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;

static void nothing(void) {}

static void first(void) { pthread_once(&b, nothing); }

static void second(void) { pthread_once(&a, nothing); }

static void *one(void *unused) {
    pthread_once(&a, first);
    return unused;
}

static void *other(void *unused) {
    pthread_once(&b, second);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    for (;;) {
    }
}
