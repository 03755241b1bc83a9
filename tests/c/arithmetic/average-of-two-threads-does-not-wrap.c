//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     common bits plus half of the others is the average, and never needs a 33rd bit
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned a, b, common, half;

static void *take_common(void *unused) {
    common = a & b;
    return unused;
}

static void *take_half(void *unused) {
    half = (a ^ b) >> 1;
    return unused;
}

int main(void) {
    pthread_t one, two;
    a = __VERIFIER_nondet_uint();
    b = __VERIFIER_nondet_uint();
    pthread_create(&one, NULL, take_common, NULL);
    pthread_create(&two, NULL, take_half, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    unsigned average = common + half;
    assert((average >= a || average >= b) && (average <= a || average <= b));
    return 0;
}
