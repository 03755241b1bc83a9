//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     nobody comes between the two halves of the transfer
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned from, to;

static void *transfer(void *argument) {
    unsigned amount = *(unsigned *)argument;
    __VERIFIER_atomic_begin();
    if (amount <= from) {
        from -= amount;
        to += amount;
    }
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    unsigned amount = __VERIFIER_nondet_uint(), sum;
    from = __VERIFIER_nondet_uint();
    to = 1000;
    sum = from + to;
    pthread_create(&thread, NULL, transfer, &amount);
    __VERIFIER_atomic_begin();
    unsigned seen = from + to;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    assert(seen == sum);
    return 0;
}
