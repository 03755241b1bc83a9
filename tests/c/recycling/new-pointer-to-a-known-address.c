//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the access goes through the pointer to the object that lives (gcc: it ends well)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    if (fresh && fresh == old) {
        *fresh = 1;
        assert(*fresh == 1);
    }
    free(fresh);
    return 0;
}
