//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the new object may lie where the old one lay, so the numbers differ by nothing (gcc: the assertion fails)
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    uintptr_t number = (uintptr_t)old;
    free(old);
    int *fresh = malloc(sizeof *fresh);
    uintptr_t apart = (uintptr_t)fresh - number;
    assert(!fresh || apart != 0);
    free(fresh);
    return 0;
}
