//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the low bits of the slot do not change, so the new object at the old address is taken for the old one
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static _Atomic(uintptr_t) slot;
static atomic_int has_seen, has_changed;
static int *kept;

static void *change(void *unused)
{
    if (has_seen) {
        uintptr_t old = atomic_exchange(&slot, 0);
        free((int *)(old & ~(uintptr_t)15));
        kept = malloc(sizeof *kept);
        slot = (uintptr_t)kept | (old & 15);
        has_changed = 1;
    }
    return 0;
}

int main(void)
{
    kept = malloc(sizeof(int));
    if (!kept)
        return 0;
    slot = (uintptr_t)kept;
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    uintptr_t seen = slot;
    has_seen = 1;
    if (has_changed && seen)
        assert(!atomic_compare_exchange_strong(&slot, &seen, 0));
    pthread_join(changer, 0);
    free(kept);
    return 0;
}
