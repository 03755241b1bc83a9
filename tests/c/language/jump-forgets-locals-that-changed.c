//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ why:   a local that is not volatile and changed after setjmp is indeterminate after the jump (C17 7.13.2.1p3)
#include <setjmp.h>

static jmp_buf state;

int main(void) {
    int tries = 0;
    if (setjmp(state) == 0) {
        tries++;
        longjmp(state, 1);
    }
    return tries;
}
