//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a relaxed load acquires nothing, so the read of `data` is unordered though it always comes later; the thread sanitizer of gcc reports it
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
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        ;
    seen = data;
    pthread_join(thread, NULL);
    return 0;
}
