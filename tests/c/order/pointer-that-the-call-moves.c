//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   C17 6.5.16p3 leaves open whether `at` is read before the call, then it ends up at 1, or after it, then at 2 (gcc 12)
#include <assert.h>

static int slots[4];
static int *at = slots;
static int forward(void) {
    at = slots + 1;
    return 1;
}

int main(void) {
    at += forward();
    assert(at == slots + 1);
    return 0;
}
