//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=safe
//@ why:   a volatile local keeps what was written last when somebody jumps (C17 7.13.2.1p3)
#include <setjmp.h>

static jmp_buf state;

int main(void) {
    volatile int tries = 0;
    if (setjmp(state) == 0) {
        tries++;
        longjmp(state, 1);
    }
    return tries;
}
