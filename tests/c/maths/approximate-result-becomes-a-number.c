//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     7 is what every library makes of it; the model knows a logarithm only approximately
#include <assert.h>
#include <math.h>

int main(void) {
    int digits = (int)(log10(1234567.0) + 1);
    assert(digits == 7);
    return 0;
}
