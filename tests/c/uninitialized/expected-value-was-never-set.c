//@ truth:   assert=safe memory=safe uninitialized=unsafe
//@ options: --property assert --property memory --property uninitialized
//@ why:     what a compare-and-exchange expects was never set, and comparing decides which way the program goes
#include <stdatomic.h>

static atomic_int x;

int main(void) {
    int expected;
    return atomic_compare_exchange_strong(&x, &expected, 1);
}
