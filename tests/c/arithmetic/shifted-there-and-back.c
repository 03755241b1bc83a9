//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the highest bits are lost
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned word, amount;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int has_shifted;

static void *left(void *unused) {
    pthread_mutex_lock(&m);
    word <<= amount;
    has_shifted = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

static void *right(void *unused) {
    pthread_mutex_lock(&m);
    if (has_shifted) {
        word >>= amount;
        has_shifted = 2;
    }
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t one, two;
    unsigned before = __VERIFIER_nondet_uint();
    amount = __VERIFIER_nondet_uint() & 7;
    if (before * 2654435761u != 0x5bd1e995u)
        return 0;
    word = before;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(has_shifted == 1 || word == before);
    return 0;
}
