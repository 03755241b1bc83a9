//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     both keys may have the same remainder, and then one increment may be lost
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned table[8];

static void *count(void *argument) {
    table[*(unsigned *)argument * 2654435761u >> 29]++;
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned first = __VERIFIER_nondet_uint(), second = __VERIFIER_nondet_uint();
    if (first == second || first * 31 + second != 0xdeadbeefu)
        return 0;
    pthread_create(&one, NULL, count, &first);
    pthread_create(&two, NULL, count, &second);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum += table[i];
    assert(sum == 2);
    return 0;
}
