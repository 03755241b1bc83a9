//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     whatever the input, the second pointer is the one that the first is not
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y;

static void *triple(void *argument) {
    unsigned *p = argument;
    *p = *p * 3;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned choice = __VERIFIER_nondet_uint(), a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    x = a;
    y = b;
    pthread_create(&one, NULL, triple, choice * choice % 8 == 1 ? &x : &y);
    pthread_create(&two, NULL, triple, choice % 2 == 1 ? &y : &x);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == a + a + a && y == b + b + b);
    return 0;
}
