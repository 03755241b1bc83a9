//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the difference of two unsigned numbers is right even if the counter wrapped between them
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned counter;

static void *add(void *argument) {
    __atomic_fetch_add(&counter, *(unsigned *)argument, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned before = __VERIFIER_nondet_uint();
    unsigned a = __VERIFIER_nondet_uint(), b = 0x80000001u;
    counter = before;
    pthread_create(&one, NULL, add, &a);
    pthread_create(&two, NULL, add, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter - before == a + b);
    return 0;
}
