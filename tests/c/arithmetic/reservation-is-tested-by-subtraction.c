//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     what is left is never less than zero, so the test does not wrap
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned used;
static const unsigned limit = 1000;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned granted;

static void *reserve(void *argument) {
    unsigned amount = *(unsigned *)argument;
    pthread_mutex_lock(&m);
    if (amount <= limit - used) {
        used += amount;
        granted += amount;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    pthread_create(&one, NULL, reserve, &a);
    pthread_create(&two, NULL, reserve, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(used <= limit && granted == used);
    return 0;
}
