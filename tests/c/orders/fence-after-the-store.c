//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a release fence makes later stores release, not the one before it
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        seen = data;
    }
    pthread_join(thread, NULL);
    return 0;
}
