//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the jump is not taken
#include <setjmp.h>

static jmp_buf state;
static int zero;

int main(void) {
    if (zero)
        return setjmp(state);
    return 0;
}
