//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     division rounds to zero, the shift to below; they differ for -54321, the only number with that product
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int number, quotient, shifted;

static void *divide(void *unused) {
    quotient = number / 2;
    return unused;
}

static void *shift(void *unused) {
    shifted = number >> 1;
    return unused;
}

int main(void) {
    pthread_t one, two;
    number = __VERIFIER_nondet_int();
    if ((unsigned)number * 65599u != 0x2b9ac7f1u)
        return 0;
    pthread_create(&one, NULL, divide, NULL);
    pthread_create(&two, NULL, shift, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(quotient == shifted);
    return 0;
}
