//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a number is an address, and who lives there now is pointed to by it (gcc: it ends well)
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    uintptr_t number = (uintptr_t)old;
    free(old);
    int *fresh = malloc(sizeof *fresh);
    if (fresh && (uintptr_t)fresh == number) {
        *(int *)number = 5;
        assert(*fresh == 5);
    }
    free(fresh);
    return 0;
}
