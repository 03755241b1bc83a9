//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who finds the lock free at the first look, which is relaxed, is not ordered behind who gave it back, as in a public queue lock
#include <pthread.h>
#include <stdatomic.h>

struct node {
    atomic_int must_wait;
};

static struct node nodes[3];
static _Atomic(struct node *) tail = &nodes[0];
static int counter;

static void *count(void *argument) {
    struct node *own = argument;
    atomic_store_explicit(&own->must_wait, 1, memory_order_relaxed);
    struct node *previous = atomic_exchange(&tail, own);
    if (atomic_load_explicit(&previous->must_wait, memory_order_relaxed))
        while (atomic_load(&previous->must_wait))
            ;
    counter++;
    atomic_store(&own->must_wait, 0);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, count, &nodes[1]);
    pthread_create(&two, 0, count, &nodes[2]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
