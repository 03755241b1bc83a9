//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   both objects live, so they do not lie at one address
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    uintptr_t number = (uintptr_t)old;
    int *fresh = malloc(sizeof *fresh);
    uintptr_t apart = (uintptr_t)fresh - number;
    assert(apart != 0);
    free(fresh);
    free(old);
    return 0;
}
