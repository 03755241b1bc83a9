//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ counters: explicit.phase.states=55 explicit.none.states=690
//@ why:      every increment is exchanged only for what was seen; as many states as with the macros in `macros-of-stdatomic-count-both.c`
#include <assert.h>
#include <pthread.h>

static int counter, last;

static void *add(void *unused) {
    int seen = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(&counter, &seen, seen + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    __atomic_store_n(&last, __atomic_exchange_n(&last, seen, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(__atomic_load_n(&counter, __ATOMIC_SEQ_CST) == 2);
    return 0;
}
