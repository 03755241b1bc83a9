//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the functions of stdatomic.h give what was there before
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>

int main(void) {
    atomic_int x = 12;
    assert(atomic_fetch_sub(&x, 2) == 12 && x == 10);
    assert(atomic_fetch_or(&x, 5) == 10 && x == 15);
    assert(atomic_fetch_and(&x, 6) == 15 && x == 6);
    assert(atomic_fetch_xor(&x, 3) == 6 && x == 5);
    assert(atomic_exchange(&x, 9) == 5 && x == 9);
    int expected = 8;
    assert(!atomic_compare_exchange_strong(&x, &expected, 1) && expected == 9);
    assert(atomic_compare_exchange_strong(&x, &expected, 1) && x == 1);
    atomic_uchar small = 255;
    assert(atomic_fetch_add(&small, 2) == 255 && small == 1);
    atomic_bool flag = false;
    assert(!atomic_exchange(&flag, true) && flag);
    assert(atomic_is_lock_free(&x));
    return 0;
}
