//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     C17 6.5p3 leaves open which operand of `-` is evaluated first; from left to right the result is -1, from right to left 1
#include <assert.h>

static int counter;
static int next(void) { return ++counter; }

int main(void) {
    int difference = next() - next();
    assert(difference == -1);
    return 0;
}
