//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a weak exchange may fail although the value is the expected one
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 0;
    int old = 0;
    assert(atomic_compare_exchange_weak(&x, &old, 1));
    return 0;
}
