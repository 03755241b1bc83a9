//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     zeros with one sign keep it, and the sign of zero does not change comparisons
#include <assert.h>
#include <math.h>

int main(void) {
    volatile double negative = -0.0, positive = 0.0;
    assert(signbit(fmax(negative, negative)) && !signbit(fmin(positive, positive)));
    assert(fmax(negative, positive) == 0 && fmin(negative, 1.0) == 0);
    return 0;
}
