//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   `prepare` has returned when somebody jumps into it
#include <setjmp.h>

static jmp_buf state;

static int prepare(void) {
    return setjmp(state);
}

int main(void) {
    if (prepare() == 0)
        longjmp(state, 1);
    return 0;
}
