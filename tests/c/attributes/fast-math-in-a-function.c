//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     with `-ffast-math` gcc may take `x != x` to be false, so what the call returns is not known
#include <math.h>

__attribute__((optimize("fast-math"), noinline)) static int is_nan(double x) { return x != x; }

int main(void) {
    volatile double zero = 0;
    return is_nan(zero / zero);
}
