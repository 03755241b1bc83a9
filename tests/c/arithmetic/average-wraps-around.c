//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the sum of two large numbers wraps, and its half is less than both
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned sum;

static void *add(void *argument) {
    __atomic_fetch_add(&sum, *(unsigned *)argument, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a * 3 + b != 0x12345678u || a % 5 != 2)
        return 0;
    pthread_create(&one, NULL, add, &a);
    pthread_create(&two, NULL, add, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    unsigned average = sum / 2;
    assert(average >= a || average >= b);
    return 0;
}
