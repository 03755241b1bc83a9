//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a compare-exchange that fails is a load of its second order, here relaxed (C17 7.17.7.4), so it acquires nothing
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    int expected = 2;
    atomic_compare_exchange_strong_explicit(&ready, &expected, 3, memory_order_acq_rel, memory_order_relaxed);
    if (expected == 1)
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
