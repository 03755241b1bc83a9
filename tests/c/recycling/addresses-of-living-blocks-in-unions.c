//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   both blocks live when their addresses are compared as numbers
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
    other->pointer = malloc(sizeof(int));
    assert(one->number != other->number);
    free(one->pointer);
    free(other->pointer);
    free(other);
    free(one);
    return 0;
}
