//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:   C17 6.5.7p3: the amount is not less than the width of the operand
#include <assert.h>

static unsigned amount = 32, result;

int main(void) {
    result = 1u << amount;
    assert(0);
    return 0;
}
