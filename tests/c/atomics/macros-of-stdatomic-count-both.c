//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ counters: explicit.phase.states=55 explicit.none.states=1728
//@ why:      every increment is exchanged only for what was seen; what the macros of gcc's header keep besides is in registers, so there are as many states as with the builtins in `builtins-for-values-count-both.c`
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter, last;

static void *add(void *unused) {
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)) {
    }
    atomic_store(&last, atomic_exchange(&last, seen) + 1);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
