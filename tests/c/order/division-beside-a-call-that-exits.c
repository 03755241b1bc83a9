//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:   the quotient may be computed first (C17 6.5p3), which is undefined, so nobody says safe
#include <stdlib.h>

static int checked(int divisor) {
    if (!divisor)
        _Exit(0);
    return 0;
}

int main(void) {
    volatile int zero = 0;
    int divisor = zero;
    return checked(divisor) + 5 / divisor;
}
