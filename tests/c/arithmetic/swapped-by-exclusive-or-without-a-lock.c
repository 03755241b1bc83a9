//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the steps of two swaps mix, and a number is lost
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y;

static void *swap(void *unused) {
    x ^= y;
    y ^= x;
    x ^= y;
    return unused;
}

int main(void) {
    pthread_t one, two;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a * 2654435761u != 0x5bd1e995u || b * 5 != 0x13572467u)
        return 0;
    x = a;
    y = b;
    pthread_create(&one, NULL, swap, NULL);
    pthread_create(&two, NULL, swap, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x + y == a + b);
    return 0;
}
