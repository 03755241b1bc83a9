//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the barrier orders what comes before it and what comes after, the relaxed counter nothing
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static int values[2], sums[2];
static atomic_int count;

static void work(int me) {
    values[me] = me;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    pthread_barrier_wait(&barrier);
    sums[me] = values[0] + values[1];
}

static void *run(void *unused) {
    work(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, run, NULL);
    work(0);
    pthread_join(thread, NULL);
    return 0;
}
