//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a smaller request fits into the freed block (gcc: glibc gives 24 bytes for both, and the assertion fails)
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    char *old = malloc(20);
    free(old);
    char *fresh = malloc(5);
    assert(!fresh || fresh != old);
    free(fresh);
    return 0;
}
