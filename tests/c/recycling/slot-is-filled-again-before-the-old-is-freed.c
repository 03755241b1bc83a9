//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the object that was seen lives until the exchange is done, so nothing else lies there
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;
static atomic_int has_seen, has_changed;
static int nothing;
static int *kept, *retired;

static void *change(void *unused)
{
    if (has_seen) {
        retired = atomic_exchange(&slot, 0);
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
    free(retired);
    return 0;
}
