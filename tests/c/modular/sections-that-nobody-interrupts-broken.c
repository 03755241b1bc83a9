//@ truth:   assert=unsafe
//@ options: --property assert --max-threads 5
//@ why:     between the section and the write behind it others see 8
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int number;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    number = 8;
    __VERIFIER_atomic_end();
    number = 1;
    __VERIFIER_atomic_begin();
    assert(number <= 1);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
