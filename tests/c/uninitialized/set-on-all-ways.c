//@ truth:   assert=safe race=safe
//@ options: --property assert --property race
//@ why:     both ways set the variable, so there is nothing to choose
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x;
    if (__VERIFIER_nondet_int() > 0)
        x = 1;
    else
        x = 2;
    assert(x < 3);
    return 0;
}
