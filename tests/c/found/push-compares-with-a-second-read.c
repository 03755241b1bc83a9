//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     an element that was pushed between the two reads of the top is left out of the stack, as in a public lock-free stack
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct element {
    struct element *next;
};

static _Atomic(struct element *) top;
static struct element elements[2];

static void *push(void *argument) {
    struct element *element = argument, *expected;
    do {
        element->next = top;
        expected = top;
    } while (!atomic_compare_exchange_strong(&top, &expected, element));
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, push, &elements[0]);
    push(&elements[1]);
    pthread_join(other, 0);
    int count = 0;
    for (struct element *it = top; it; it = it->next)
        count++;
    assert(count == 2);
    return 0;
}
