//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the swap is tried again until nobody came between
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
    int seen, found = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    do {
        seen = found;
        found = __sync_val_compare_and_swap(&x, seen, seen + 1);
    } while (found != seen);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
