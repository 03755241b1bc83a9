//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   pointer and count are compared at once and the count has been raised, so the same address is not taken for the same content
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct counted {
    int *pointer;
    uintptr_t count;
};

static _Atomic struct counted slot;
static atomic_int has_seen, has_changed;

static void *change(void *unused)
{
    if (has_seen) {
        struct counted none = {0, 0}, old = atomic_exchange(&slot, none);
        free(old.pointer);
        struct counted next = {malloc(sizeof(int)), old.count + 1};
        slot = next;
        has_changed = 1;
    }
    return 0;
}

int main(void)
{
    struct counted first = {malloc(sizeof(int)), 0}, none = {0, 0};
    slot = first;
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    struct counted seen = slot;
    has_seen = 1;
    if (has_changed && seen.pointer)
        assert(!atomic_compare_exchange_strong(&slot, &seen, none));
    pthread_join(changer, 0);
    struct counted last = slot;
    free(last.pointer);
    return 0;
}
