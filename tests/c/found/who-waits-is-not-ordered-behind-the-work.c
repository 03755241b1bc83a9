//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who waits until no task remains does so by a relaxed load, so it may not look at what tasks have written, as in a public thread pool
#include <pthread.h>
#include <stdatomic.h>

static atomic_int remaining = 1;
static int result;

static void *work(void *unused) {
    result = 7;
    atomic_fetch_sub_explicit(&remaining, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    while (atomic_load_explicit(&remaining, memory_order_relaxed))
        ;
    int seen = result;
    pthread_join(worker, 0);
    return seen == 0;
}
