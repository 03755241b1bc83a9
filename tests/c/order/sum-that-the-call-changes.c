//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `sum += f()` reads `sum` before or after the call: C17 6.5.16p3 leaves it open, so the sum is 1 or, as with gcc 12, 11
#include <assert.h>

static int sum;
static int f(void) {
    sum = 10;
    return 1;
}

int main(void) {
    sum += f();
    assert(sum == 11);
    return 0;
}
