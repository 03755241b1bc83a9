//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a fence between plain accesses orders nothing without an atomic access that somebody reads
#include <pthread.h>
#include <stdatomic.h>

static int x;

static void *work(void *unused) {
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    __sync_synchronize();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    __sync_synchronize();
    x = 2;
    pthread_join(thread, NULL);
    return 0;
}
