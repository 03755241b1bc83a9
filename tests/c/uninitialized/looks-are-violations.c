//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe undefined=safe
//@ options: --property assert --property race --property deadlock --property memory --property lock-misuse --property uninitialized --property undefined
//@ why:     who asks whether values were set is told, and the rest is safe up to there
#include <assert.h>

int main(void) {
    int x;
    if (x > 3)
        assert(x > 5);
    return 0;
}
