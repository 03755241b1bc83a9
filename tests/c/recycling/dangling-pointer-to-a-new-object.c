//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   `old` dangles, whatever lies at its address now (C11 6.2.4p2; glibc gives the same address, where the write does no visible harm, and address sanitizers do not give it again, so they are silent)
#include <stdlib.h>

int main(void)
{
    int *old = malloc(sizeof *old);
    free(old);
    int *fresh = malloc(sizeof *fresh);
    if (fresh && fresh == old)
        *old = 1;
    free(fresh);
    return 0;
}
