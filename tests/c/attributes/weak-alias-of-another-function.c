//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `#pragma weak f = g` makes `f` another name of `g`, which returns 2: gcc's program aborts
#include <assert.h>

int g(void) { return 2; }
int f(void);
#pragma weak f = g

int main(void) {
    assert(f() == 1);
    return 0;
}
