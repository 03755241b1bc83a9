//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the operands of `__builtin_add_overflow` are arguments, whose order C17 6.5.2.2p10 leaves open
#include <assert.h>

static int last;
static int note(int digit) { return last = digit; }

int main(void) {
    int sum;
    __builtin_add_overflow(note(1), note(2), &sum);
    assert(last == 2);
    return 0;
}
