//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a section whose assumption fails waits until it holds
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
static int lock, x;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(lock == 0);
    lock = 1;
}

static void __VERIFIER_atomic_release(void) {
    lock = 0;
}

static void *work(void *unused) {
    __VERIFIER_atomic_acquire();
    x++;
    __VERIFIER_atomic_release();
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
