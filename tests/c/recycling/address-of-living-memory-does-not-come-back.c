//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   both objects live when they are compared (C11 6.5.9p6)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    int *fresh = malloc(sizeof *fresh);
    if (!old || !fresh)
        return 0;
    assert(fresh != old);
    free(old);
    free(fresh);
    return 0;
}
