//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the ones of a word are those of its halves
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned word;
static unsigned counts[2];

static unsigned ones(unsigned v) {
    v = v - (v >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return (v + (v >> 8) + (v >> 16) + (v >> 24)) & 0x3f;
}

static void *low(void *unused) {
    counts[0] = ones(word & 0xffff);
    return unused;
}

static void *high(void *unused) {
    counts[1] = ones(word >> 16);
    return unused;
}

int main(void) {
    pthread_t one, two;
    word = __VERIFIER_nondet_uint();
    pthread_create(&one, NULL, low, NULL);
    pthread_create(&two, NULL, high, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counts[0] + counts[1] == ones(word));
    return 0;
}
