//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a failed exchange puts what it found into `seen`, but here nobody tries again, so one increment may be missing: gcc's program fails if both threads load 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *unused) {
    int seen = atomic_load(&counter);
    if (!atomic_compare_exchange_strong(&counter, &seen, seen + 1))
        assert(seen == 1);
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
