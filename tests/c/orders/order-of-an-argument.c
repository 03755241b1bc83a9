//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the order is computed when the program runs, and is acquire whenever it does
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static int look(memory_order order) {
    return atomic_load_explicit(&ready, order);
}

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (look(memory_order_acquire))
        assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
