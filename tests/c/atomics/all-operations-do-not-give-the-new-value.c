//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `atomic_fetch_sub` gives the old value, not the new one
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 12;
    assert(atomic_fetch_sub(&x, 2) == 10);
    return 0;
}
