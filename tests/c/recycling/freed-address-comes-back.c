//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   glibc gives the block that was freed last to the next request of its size, so `fresh == old` (gcc: the assertion fails)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    assert(!fresh || fresh != old);
    free(fresh);
    return 0;
}
