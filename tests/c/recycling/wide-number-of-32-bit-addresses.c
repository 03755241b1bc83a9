//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --data-model ilp32
//@ why:   the count is not raised, so the number of 8 bytes is the same again when the address has come back (ABA)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

union counted {
    struct {
        int *pointer;
        uint32_t count;
    };
    uint64_t both;
};

static _Alignas(8) union counted slot;
static atomic_int has_seen, has_changed;

static void *change(void *unused)
{
    if (has_seen) {
        union counted old, next;
        old.both = __atomic_exchange_n(&slot.both, 0, __ATOMIC_SEQ_CST);
        free(old.pointer);
        next.pointer = malloc(sizeof(int));
        next.count = old.count;
        __atomic_exchange_n(&slot.both, next.both, __ATOMIC_SEQ_CST);
        has_changed = 1;
    }
    return 0;
}

int main(void)
{
    slot.pointer = malloc(sizeof(int));
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    union counted seen;
    seen.both = __sync_val_compare_and_swap(&slot.both, 0, 0);
    has_seen = 1;
    if (has_changed && seen.pointer)
        assert(!__sync_bool_compare_and_swap(&slot.both, seen.both, 0));
    pthread_join(changer, 0);
    free(slot.pointer);
    return 0;
}
