//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     relaxed accesses order nothing, so the accesses to `data` race although no interleaving has both at once
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int ready;

static void *work(void *unused) {
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
