//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each builtin gives and leaves the value that clang documents; its `init` is no store of an order
#include <assert.h>

int main(void) {
    _Atomic int x;
    int y = 0;
    assert((x = 5) && __c11_atomic_fetch_add(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 8);
    assert((x = 5) && __c11_atomic_fetch_sub(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 2);
    assert((x = 6) && __c11_atomic_fetch_and(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == 2);
    assert((x = 6) && __c11_atomic_fetch_or(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == 7);
    assert((x = 6) && __c11_atomic_fetch_xor(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == 5);
    assert((x = 6) && __c11_atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == ~2);
    assert((x = 5) && __c11_atomic_fetch_min(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 3);
    assert((x = 5) && __c11_atomic_fetch_max(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 5);
    assert((__c11_atomic_init(&x, 7), __c11_atomic_load(&x, __ATOMIC_SEQ_CST) == 7));
    assert((__c11_atomic_store(&x, 4, __ATOMIC_SEQ_CST), x == 4));
    assert(__c11_atomic_exchange(&x, 9, __ATOMIC_SEQ_CST) == 4 && x == 9);
    assert(!__c11_atomic_compare_exchange_strong(&x, &y, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && y == 9);
    assert((y = 8, !__c11_atomic_compare_exchange_weak(&x, &y, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) && y == 9);
    assert((__c11_atomic_thread_fence(__ATOMIC_SEQ_CST), __c11_atomic_signal_fence(__ATOMIC_SEQ_CST), __c11_atomic_is_lock_free(sizeof x)));
    return 0;
}
