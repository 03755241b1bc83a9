//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the inner section is part of the outer one
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <assert.h>
#include <pthread.h>

static int x, y;

static void __VERIFIER_atomic_both(void) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    y++;
}

static void *work(void *unused) {
    __VERIFIER_atomic_both();
    return unused;
}

static void __VERIFIER_atomic_look(void) {
    assert(x == y);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    __VERIFIER_atomic_look();
    pthread_join(thread, NULL);
    return 0;
}
