//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the call comes first, as a statement of its own
#include <assert.h>

static int slots[4];
static int *at = slots;
static int forward(void) {
    at = slots + 1;
    return 1;
}

int main(void) {
    int by = forward();
    at += by;
    assert(at == slots + 2);
    return 0;
}
