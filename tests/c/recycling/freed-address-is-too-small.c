//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a thousand bytes do not fit where an `int` lay (gcc: the assertion holds)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    char *fresh = malloc(1000);
    assert(!fresh || fresh != (char *)old);
    free(fresh);
    return 0;
}
