//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nothing in the section waits
#include <assert.h>
#include <pthread.h>

static int lock, x;

static void __VERIFIER_atomic_acquire(void) {
    lock = 1;
}

static void *work(void *unused) {
    __VERIFIER_atomic_acquire();
    x++;
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
