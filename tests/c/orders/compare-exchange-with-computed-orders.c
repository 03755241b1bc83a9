//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both orders are computed, and the one of a failure is relaxed
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;

static int change(int expected, int desired, memory_order success, memory_order failure) {
    atomic_compare_exchange_strong_explicit(&ready, &expected, desired, success, failure);
    return expected;
}

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (change(0, 0, memory_order_acq_rel, memory_order_relaxed) == 1)
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
