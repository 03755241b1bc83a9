//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both threads make a key, which orders nothing, and the flag is relaxed
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t keys[2];
static int data, seen;
static atomic_int ready;

static void *run(void *unused) {
    data = 42;
    pthread_key_create(&keys[1], NULL);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    int is_ready = atomic_load_explicit(&ready, memory_order_relaxed);
    pthread_key_create(&keys[0], NULL);
    if (is_ready)
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
