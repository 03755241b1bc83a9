//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     a taker has read the first node when another one takes it out and frees it, as in a public lock-free queue
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head;

static void *take(void *unused) {
    struct node *first = head, *next = first->next;
    if (next && atomic_compare_exchange_strong(&head, &first, next))
        free(first);
    return unused;
}

int main(void) {
    struct node *last = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        atomic_init(&node->next, last);
        last = node;
    }
    head = last;
    pthread_t one, two;
    pthread_create(&one, 0, take, 0);
    pthread_create(&two, 0, take, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
