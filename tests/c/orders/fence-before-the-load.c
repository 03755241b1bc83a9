//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     an acquire fence makes earlier loads acquire, not the one after it
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;

static void *send(void *unused) {
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
