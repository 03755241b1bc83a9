//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the look at both accounts may come between the two halves of the transfer of 54321, whose square it asks for
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static unsigned from, to;

static void *transfer(void *argument) {
    unsigned amount = *(unsigned *)argument;
    __VERIFIER_atomic_begin();
    from -= amount;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    to += amount;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t thread;
    unsigned amount = __VERIFIER_nondet_uint(), sum;
    from = __VERIFIER_nondet_uint();
    to = __VERIFIER_nondet_uint();
    sum = from + to;
    if (amount * amount != 2950771041u || amount < 2)
        return 0;
    pthread_create(&thread, NULL, transfer, &amount);
    __VERIFIER_atomic_begin();
    unsigned seen = from + to;
    __VERIFIER_atomic_end();
    pthread_join(thread, NULL);
    assert(seen == sum);
    return 0;
}
