//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both take `a` first, so whoever has `b` has both and gives them back
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int a, b;

static void lock(atomic_int *l) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(l, &expected, 1)) {
        expected = 0;
        sched_yield();
    }
}

static void unlock(atomic_int *l) { atomic_store(l, 0); }

static void *left(void *unused) {
    lock(&a);
    lock(&b);
    unlock(&b);
    unlock(&a);
    return unused;
}

static void *right(void *unused) {
    lock(&a);
    lock(&b);
    unlock(&b);
    unlock(&a);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    return 0;
}
