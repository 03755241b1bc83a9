//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the acquire that reads 1 synchronises with the release that wrote it (C17 5.1.2.4); the thread sanitizer of gcc is silent
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
