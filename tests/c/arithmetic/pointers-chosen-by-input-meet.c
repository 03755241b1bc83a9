//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     for 12345, whose cube it asks for, both pointers are the same
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
    pthread_create(&one, NULL, triple, choice * choice * choice == 170287977u ? &x : &y);
    pthread_create(&two, NULL, triple, &x);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x + y == 3 * (a + b));
    return 0;
}
