//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     each thread stores its own half, and both are there after the joins
#include <assert.h>
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static unsigned long input;
static unsigned low, high;

static void *take_low(void *unused) {
    low = (unsigned)input;
    return unused;
}

static void *take_high(void *unused) {
    high = (unsigned)(input >> 32);
    return unused;
}

int main(void) {
    pthread_t one, two;
    input = __VERIFIER_nondet_ulong();
    pthread_create(&one, NULL, take_low, NULL);
    pthread_create(&two, NULL, take_high, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(((unsigned long)high << 32 | low) == input);
    assert((unsigned long)high * 4294967296ul + low == input);
    return 0;
}
