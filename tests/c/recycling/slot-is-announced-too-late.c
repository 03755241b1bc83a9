//@ truth: assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the block may have been freed before it was announced, and nobody looks at the slot again
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot, hazard;
static int *retired;

static int *block(void)
{
    int *block = malloc(sizeof *block);
    if (!block)
        exit(0);
    *block = 0;
    return block;
}

static void *change(void *unused)
{
    int *old = atomic_exchange(&slot, 0);
    if (old) {
        if (hazard == old)
            retired = old;
        else
            free(old);
        slot = block();
    }
    return 0;
}

int main(void)
{
    slot = block();
    pthread_t changer;
    pthread_create(&changer, 0, change, 0);
    int *seen = slot;
    hazard = seen;
    int *now = seen;
    if (now && now == seen) {
        *now = 1;
        if (atomic_compare_exchange_strong(&slot, &now, 0)) {
            assert(*now == 1);
            free(now);
        }
    }
    pthread_join(changer, 0);
    free(retired);
    free(slot);
    return 0;
}
