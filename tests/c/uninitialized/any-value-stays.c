//@ truth:   assert=safe race=safe
//@ options: --property assert --property race
//@ why:     whoever looks at `x` again sees the value that was seen before
#include <assert.h>

int main(void) {
    int x;
    if (x > 3)
        assert(x != 2);
    return 0;
}
