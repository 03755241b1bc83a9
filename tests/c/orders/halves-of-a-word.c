//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown
//@ why:     C does not say what an atomic access to half of an atomic word orders
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t whole;
    uint16_t halves[2];
} word;
static int data, seen;

static void *send(void *unused) {
    data = 42;
    __atomic_store_n(&word.halves[0], 1, __ATOMIC_RELEASE);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (__atomic_load_n(&word.whole, __ATOMIC_ACQUIRE))
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
