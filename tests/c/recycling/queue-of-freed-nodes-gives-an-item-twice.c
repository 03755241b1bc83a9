//@ truth: assert=unsafe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the queue of Michael and Scott frees its old dummy, whose address comes back as that of the dummy two items later, so the head is moved back (ABA)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    _Atomic(struct node *) next;
    int item;
};

static _Atomic(struct node *) head;
static struct node *tail;
static atomic_int is_taken;

// By one thread at a time.
static void enqueue(int item)
{
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    node->item = item;
    if (tail)
        tail->next = node;
    tail = node;
}

// Gives up where the other is quicker.
static void dequeue(void)
{
    struct node *dummy = head, *first = dummy->next;
    if (!first)
        return;
    int item = first->item;
    if (!atomic_compare_exchange_strong(&head, &dummy, first))
        return;
    assert(!(is_taken & item));
    is_taken |= item;
    free(dummy);
}

static void *worker(void *unused)
{
    dequeue();
    enqueue(2);
    dequeue();
    return 0;
}

int main(void)
{
    enqueue(0);
    head = tail;
    enqueue(1);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    dequeue();
    pthread_join(thread, 0);
    return 0;
}
