//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     while a reader copies a slot, another one takes it and the writer goes once around the ring; the place to read is what it was, as in a public queue
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2 };

static atomic_uint head, tail;
static int slots[SLOTS], taken[3];

static int offer(int value) {
    unsigned at = atomic_load(&tail), next = (at + 1) % SLOTS;
    if (next == atomic_load(&head))
        return 0;
    slots[at] = value;
    atomic_store(&tail, next);
    return 1;
}

static void take(int *value) {
    unsigned at = atomic_load(&head), end = atomic_load(&tail);
    int copy;
    do {
        if (at == end)
            return;
        copy = slots[at];
    } while (!atomic_compare_exchange_strong(&head, &at, (at + 1) % SLOTS));
    *value = copy;
}

static void *take_one(void *unused) {
    take(&taken[0]);
    return unused;
}

static void *take_two(void *unused) {
    take(&taken[1]);
    take(&taken[2]);
    return unused;
}

int main(void) {
    pthread_t one, two;
    offer(1);
    pthread_create(&one, NULL, take_one, NULL);
    pthread_create(&two, NULL, take_two, NULL);
    if (offer(2))
        offer(3);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(!taken[0] || (taken[0] != taken[1] && taken[0] != taken[2]));
    return 0;
}
