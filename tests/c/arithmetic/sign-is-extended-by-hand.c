//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     flipping the sign bit and taking its weight away extends the sign as the conversion does
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned word;
static int by_hand, converted;

static void *extend(void *unused) {
    by_hand = (int)((word & 0xffff) ^ 0x8000) - 0x8000;
    return unused;
}

static void *convert(void *unused) {
    converted = (short)word;
    return unused;
}

int main(void) {
    pthread_t one, two;
    word = __VERIFIER_nondet_uint();
    pthread_create(&one, NULL, extend, NULL);
    pthread_create(&two, NULL, convert, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(by_hand == converted);
    return 0;
}
