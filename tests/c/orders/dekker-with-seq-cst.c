//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     at most one thread reads 0 of the other's flag, and `x` is touched by nobody else; the relaxed counter beside it orders nothing and needs nothing
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], visits;
static int x;

static void enter(int me) {
    atomic_store(&wants[me], 1);
    if (!atomic_load(&wants[!me])) {
        x++;
        atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed);
    }
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
