//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `atomic_signal_fence` orders a thread and its own signal handlers, and no other thread (C17 7.17.4.2)
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;

static void *send(void *unused) {
    data = 42;
    atomic_signal_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
