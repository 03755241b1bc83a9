//@ truth:   assert=unsafe
//@ options: --property assert
//@ why:     the variable is set on one of two ways
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x;
    if (__VERIFIER_nondet_int() > 0)
        x = 1;
    int copy = x;
    assert(copy == 1);
    return 0;
}
