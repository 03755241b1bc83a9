//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     C17 F.10.9.2 lets `fmax` of zeros return either; glibc 2.36 gives the first argument, here -0, and gcc computes +0 for constants
#include <assert.h>
#include <math.h>

int main(void) {
    volatile double negative = -0.0, positive = 0.0;
    assert(signbit(fmax(negative, positive)) == 0);
    return 0;
}
