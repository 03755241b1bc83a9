//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     only the first parameter must not be null, and it is not
#include <assert.h>

__attribute__((nonnull(1))) static int is_null(int *p, int *q) { return p == 0 || q == 0; }

int main(void) {
    int x = 0;
    assert(is_null(&x, 0));
    return 0;
}
