//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the three steps are under one lock; after two swaps the numbers are where they were
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *swap(void *unused) {
    pthread_mutex_lock(&m);
    x ^= y;
    y ^= x;
    x ^= y;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t one, two;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    x = a;
    y = b;
    pthread_create(&one, NULL, swap, NULL);
    pthread_create(&two, NULL, swap, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(x == a && y == b);
    return 0;
}
