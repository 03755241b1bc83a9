//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     within a section the number is put back before anybody looks
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int number;

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    number = 8;
    number = 1;
    __VERIFIER_atomic_end();
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
