//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     1009 times 1013
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static unsigned product = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *multiply(void *argument) {
    unsigned factor = __VERIFIER_nondet_uint();
    __VERIFIER_assume(factor > 1 && factor < 2048);
    pthread_mutex_lock(&m);
    product *= factor;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, multiply, NULL);
    pthread_create(&two, NULL, multiply, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(product != 1022117);
    return 0;
}
