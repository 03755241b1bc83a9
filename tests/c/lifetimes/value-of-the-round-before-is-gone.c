//@ truth: assert=safe memory=safe
//@ options: --property assert --property memory
//@ expect: reference assert=unknown memory=unknown
//@ expect: explicit assert=unknown memory=unknown
//@ why:   the jump goes over the first value of `a`, whose life began anew: to read it is undefined (C11 6.2.4p6), so nobody says safe
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
