//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     a sine is between -1 and 1; the model does not say so, and must not call it a failure
#include <assert.h>
#include <math.h>

int main(void) {
    assert(sin(1) <= 1);
    return 0;
}
