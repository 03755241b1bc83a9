//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     with sequentially consistent values, which is what truth and verdict speak about here, at most one thread gets in; a machine may let both read 0, which is not examined
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int x;

static void enter(int me) {
    atomic_store_explicit(&wants[me], 1, memory_order_release);
    if (!atomic_load_explicit(&wants[!me], memory_order_acquire))
        x++;
}

static void *work(void *unused) {
    enter(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    enter(0);
    pthread_join(thread, NULL);
    return 0;
}
