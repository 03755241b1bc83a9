//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the operands of `__atomic_store_n` are arguments, whose order C17 6.5.2.2p10 leaves open
#include <assert.h>

static int cells[3], last;
static int note(int digit) { return last = digit; }

int main(void) {
    __atomic_store_n(&cells[note(1)], note(2), __ATOMIC_SEQ_CST);
    assert(last == 2);
    return 0;
}
