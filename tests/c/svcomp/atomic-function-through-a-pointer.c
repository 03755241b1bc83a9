//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a section is one step however it is called
#include <assert.h>
#include <pthread.h>

static int x;

static void __VERIFIER_atomic_increment(void) {
    x = x + 1;
}

static void (*increment)(void) = __VERIFIER_atomic_increment;

static void *work(void *unused) {
    increment();
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
