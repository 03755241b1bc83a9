//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the two elements are different, so nobody loses an increment
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned table[8];

static void *count(void *argument) {
    table[*(unsigned *)argument & 7]++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned first = __VERIFIER_nondet_uint(), distance = __VERIFIER_nondet_uint();
    unsigned second = first + (distance % 7 + 1);
    pthread_create(&one, NULL, count, &first);
    pthread_create(&two, NULL, count, &second);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(table[first & 7] == 1 && table[second & 7] == 1);
    return 0;
}
