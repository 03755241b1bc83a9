//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the call comes first, as a statement of its own
#include <stdlib.h>

static int checked(int divisor) {
    if (!divisor)
        _Exit(0);
    return 0;
}

int main(void) {
    volatile int zero = 0;
    int divisor = zero;
    int sum = checked(divisor);
    return sum + 5 / divisor;
}
