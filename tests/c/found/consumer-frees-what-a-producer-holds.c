//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     the producer has read the last node when the consumer takes it out and frees it, as in a public lock-free queue
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static void *produce(void *argument) {
    struct node *node = argument, *last = tail, *none = 0;
    if (atomic_compare_exchange_strong(&last->next, &none, node))
        tail = node;
    return 0;
}

static void *consume(void *unused) {
    struct node *first = head, *next = first->next;
    if (next) {
        head = next;
        free(first);
    }
    return unused;
}

int main(void) {
    struct node *nodes[3];
    for (int i = 0; i < 3; i++) {
        nodes[i] = calloc(1, sizeof *nodes[i]);
        if (!nodes[i])
            abort();
    }
    head = tail = nodes[0];
    pthread_t one, two, consumer;
    pthread_create(&one, 0, produce, nodes[1]);
    pthread_create(&two, 0, produce, nodes[2]);
    pthread_create(&consumer, 0, consume, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(consumer, 0);
    return 0;
}
