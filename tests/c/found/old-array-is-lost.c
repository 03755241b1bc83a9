//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     who makes the array of a work-stealing queue larger forgets the old one, as in a public collection of concurrent programs
#include <stdatomic.h>
#include <stdlib.h>

struct array {
    int size;
    int slots[];
};

static _Atomic(struct array *) current;

static void grow(void) {
    struct array *old = current;
    struct array *larger = malloc(sizeof *larger + 2 * old->size * sizeof(int));
    if (!larger)
        abort();
    larger->size = 2 * old->size;
    for (int i = 0; i < old->size; i++)
        larger->slots[i] = old->slots[i];
    current = larger;
}

int main(void) {
    struct array *first = calloc(1, sizeof *first + 2 * sizeof(int));
    if (!first)
        abort();
    first->size = 2;
    current = first;
    first = 0;
    grow();
    free(current);
    return 0;
}
