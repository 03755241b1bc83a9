//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   `p` is read in the block of `a` only
#include <assert.h>

int *global;

int main(void) {
    int *p, sum = 0;
    for (int i = 0; i < 3; i++) {
        int a = i;
        p = &a;
        global = p;
        sum += *p + *global;
    }
    assert(sum == 6);
    return 0;
}
