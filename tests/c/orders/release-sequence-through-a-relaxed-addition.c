//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a read-modify-write of any thread and any order continues the release sequence (C17 5.1.2.4); the thread sanitizer of gcc is silent
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int count;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&count, 1, memory_order_release);
    return unused;
}

static void *add(void *unused) {
    int one = 1;
    atomic_compare_exchange_strong_explicit(&count, &one, 2, memory_order_relaxed, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t sender, adder;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&adder, NULL, add, NULL);
    if (atomic_load_explicit(&count, memory_order_acquire) == 2)
        assert(data == 42);
    pthread_join(sender, NULL);
    pthread_join(adder, NULL);
    return 0;
}
