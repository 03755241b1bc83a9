//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the number is compared in parts, and all of them are the same (gcc: the assertion fails)
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    uintptr_t hash = (uintptr_t)old >> 4 ^ 5;
    uintptr_t number = (uintptr_t)old;
    free(old);
    int *fresh = malloc(sizeof *fresh);
    assert(!fresh || ((uintptr_t)fresh >> 4 ^ 5) != hash || (uintptr_t)fresh != number);
    free(fresh);
    return 0;
}
