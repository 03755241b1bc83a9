//@ truth: assert=unsafe memory=safe
//@ options: --property assert --property memory
//@ why:   the jump goes over the first value of `a`, whose life began anew: it is any value for whoever does not ask whether it was set (C11 6.2.4p6)
#include <assert.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            goto over;
        int a = 7;
    over:
        assert(a == 7);
    }
    return 0;
}
