//@ truth: assert=unsafe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   `first` is freed and its address comes back on top of the stack, so the exchange puts `second` there, which was popped (ABA)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node *second;
static atomic_int has_popped_second;

// Gives up where the other is quicker.
static struct node *pop(void)
{
    struct node *seen = top;
    if (seen && atomic_compare_exchange_strong(&top, &seen, seen->next))
        return seen;
    return 0;
}

static void *worker(void *unused)
{
    struct node *one = pop(), *other = pop();
    if (one && other) {
        has_popped_second = 1;
        free(one);
        struct node *again = malloc(sizeof *again);
        if (again) {
            again->next = 0;
            top = again;
        }
    }
    return 0;
}

int main(void)
{
    second = malloc(sizeof *second);
    struct node *first = malloc(sizeof *first);
    if (!first || !second)
        return 0;
    second->next = 0;
    first->next = second;
    top = first;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    if (pop())
        assert(!has_popped_second || top != second);
    pthread_join(thread, 0);
    return 0;
}
