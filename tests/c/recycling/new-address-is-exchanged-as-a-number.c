//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the new block is made before the old one is freed, so it lies elsewhere
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static int *slot;
static atomic_int has_seen, has_changed;

static void *change(void *unused)
{
    if (has_seen) {
        int *new = malloc(sizeof(int));
        free(__atomic_exchange_n(&slot, 0, __ATOMIC_SEQ_CST));
        __atomic_store_n(&slot, new, __ATOMIC_SEQ_CST);
        has_changed = 1;
    }
    return 0;
}

int main(void)
{
    slot = malloc(sizeof(int));
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    uintptr_t seen = (uintptr_t)__atomic_load_n(&slot, __ATOMIC_SEQ_CST);
    has_seen = 1;
    if (has_changed && seen)
        assert(!__sync_bool_compare_and_swap((uintptr_t *)&slot, seen, 0));
    pthread_join(changer, 0);
    free(slot);
    return 0;
}
