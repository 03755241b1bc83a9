//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     an exchange that fails stores what it found in the variable that stands for no element, and the element found is taken for none, as in a public hash map
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct element {
    struct element *next;
};

static _Atomic(struct element *) head;
static struct element elements[2], *empty;

static void *add(void *argument) {
    struct element *element = argument;
    for (;;) {
        struct element *first = head;
        element->next = first == empty ? 0 : first;
        if (atomic_compare_exchange_strong(&head, first == empty ? &empty : &first, element))
            return 0;
    }
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, add, &elements[0]);
    add(&elements[1]);
    pthread_join(other, 0);
    int count = 0;
    for (struct element *it = head; it; it = it->next)
        count++;
    assert(count == 2);
    return 0;
}
