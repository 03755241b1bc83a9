//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the sum in the test wraps for a large request, which is then granted
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
    if (used + amount <= limit) {
        used += amount;
        if (amount > granted)
            granted = amount;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a % 97 != 5 || b % 89 != 7)
        return 0;
    pthread_create(&one, NULL, reserve, &a);
    pthread_create(&two, NULL, reserve, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(granted <= limit);
    return 0;
}
