//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the number in the union is that of the address, which may be the same for the new block
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

union word {
    int *pointer;
    uintptr_t number;
};

int main(void)
{
    union word *one = malloc(sizeof *one), *other = malloc(sizeof *other);
    one->pointer = malloc(sizeof(int));
    free(one->pointer);
    other->pointer = malloc(sizeof(int));
    assert(one->number != other->number);
    free(other->pointer);
    free(other);
    free(one);
    return 0;
}
