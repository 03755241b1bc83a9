//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the slot was emptied, its object freed, and a new one put in at the same address (gcc: with a pause before the exchange the assertion fails in some runs)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static atomic_int has_seen, has_changed;
static int nothing;
static int *kept;

static void *change(void *unused)
{
    if (has_seen) {
        int *old = atomic_exchange(&slot, 0);
        free(old);
        kept = malloc(sizeof *kept);
        slot = kept;
        has_changed = 1;
    }
    return 0;
}

int main(void)
{
    slot = malloc(sizeof(int));
    kept = slot;
    if (!slot)
        return 0;
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    int *seen = slot;
    has_seen = 1;
    if (has_changed && seen && kept)
        assert(!atomic_compare_exchange_strong(&slot, &seen, &nothing));
    pthread_join(changer, 0);
    free(kept);
    return 0;
}
