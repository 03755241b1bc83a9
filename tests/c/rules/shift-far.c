//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the twin: the amount is less than the width, so the assertion is reached
#include <assert.h>

static unsigned amount = 31, result;

int main(void) {
    result = 1u << amount;
    assert(0);
    return 0;
}
