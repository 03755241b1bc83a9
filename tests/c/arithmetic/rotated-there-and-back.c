//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     one thread rotates to the left and the other, which waits for it, as far to the right
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned word, amount;
static int is_rotated;

static void *left(void *unused) {
    word = word << amount | word >> (-amount & 31);
    __atomic_store_n(&is_rotated, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *right(void *unused) {
    if (__atomic_load_n(&is_rotated, __ATOMIC_SEQ_CST)) {
        word = word >> amount | word << (-amount & 31);
        __atomic_store_n(&is_rotated, 2, __ATOMIC_SEQ_CST);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    unsigned before = __VERIFIER_nondet_uint();
    amount = __VERIFIER_nondet_uint() & 12;
    word = before;
    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(is_rotated == 1 || word == before);
    return 0;
}
