//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   only objects that are defined `const` are read-only; what a pointer to `const` points to may be a variable (C11 6.7.3p6)
#include <assert.h>

static int variable = 1;
static const int *const view = &variable;
static int *const writable = &variable;

int main(void) {
    *(int *)view = 2;
    *writable += 1;
    assert(variable == 3);
    return 0;
}
