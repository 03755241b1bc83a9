//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each builtin gives and leaves the value that gcc documents
#include <assert.h>

static int put(int *p, int value) {
    *p = value;
    return 1;
}

int main(void) {
    int x, y = 0, three = 3;
    char flag = 0;
    assert(put(&x, 5) && __atomic_fetch_add(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 8);
    assert(put(&x, 5) && __atomic_add_fetch(&x, 3, __ATOMIC_SEQ_CST) == 8 && x == 8);
    assert(put(&x, 5) && __atomic_fetch_sub(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 2);
    assert(put(&x, 5) && __atomic_sub_fetch(&x, 3, __ATOMIC_SEQ_CST) == 2 && x == 2);
    assert(put(&x, 6) && __atomic_fetch_and(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == 2);
    assert(put(&x, 6) && __atomic_and_fetch(&x, 3, __ATOMIC_SEQ_CST) == 2 && x == 2);
    assert(put(&x, 6) && __atomic_fetch_or(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == 7);
    assert(put(&x, 6) && __atomic_or_fetch(&x, 3, __ATOMIC_SEQ_CST) == 7 && x == 7);
    assert(put(&x, 6) && __atomic_fetch_xor(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == 5);
    assert(put(&x, 6) && __atomic_xor_fetch(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 5);
    assert(put(&x, 6) && __atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 6 && x == ~2);
    assert(put(&x, 6) && __atomic_nand_fetch(&x, 3, __ATOMIC_SEQ_CST) == ~2 && x == ~2);
    assert(put(&x, 5) && __atomic_fetch_min(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 3);
    assert(put(&x, 5) && __atomic_min_fetch(&x, 3, __ATOMIC_SEQ_CST) == 3 && x == 3);
    assert(put(&x, 5) && __atomic_fetch_max(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 5);
    assert(put(&x, 5) && __atomic_max_fetch(&x, 3, __ATOMIC_SEQ_CST) == 5 && x == 5);
    assert((__atomic_store(&x, &three, __ATOMIC_SEQ_CST), x == 3));
    assert((__atomic_store_n(&x, 4, __ATOMIC_SEQ_CST), x == 4));
    assert((__atomic_load(&x, &y, __ATOMIC_SEQ_CST), y == 4) && __atomic_load_n(&x, __ATOMIC_SEQ_CST) == 4);
    assert((__atomic_exchange(&x, &three, &y, __ATOMIC_SEQ_CST), y == 4 && x == 3));
    assert(__atomic_exchange_n(&x, 9, __ATOMIC_SEQ_CST) == 3 && x == 9);
    assert(!__atomic_compare_exchange(&x, &y, &three, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && y == 9);
    assert(__atomic_compare_exchange_n(&x, &y, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 1);
    assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST) && flag);
    assert((__atomic_clear(&flag, __ATOMIC_SEQ_CST), !flag));
    assert((__atomic_thread_fence(__ATOMIC_SEQ_CST), __atomic_signal_fence(__ATOMIC_SEQ_CST), x == 1));
    assert(__atomic_is_lock_free(sizeof x, &x) && __atomic_always_lock_free(sizeof x, 0));
    assert(!__atomic_always_lock_free(64, 0));
    assert((__atomic_store_4(&x, 6, __ATOMIC_SEQ_CST), __atomic_load_4(&x, __ATOMIC_SEQ_CST) == 6));
    assert(__atomic_fetch_add_4(&x, 1, __ATOMIC_SEQ_CST) == 6 && __sync_add_and_fetch_4(&x, 1) == 8);
    assert(__atomic_exchange_4(&x, 1, __ATOMIC_SEQ_CST) == 8);
    return 0;
}
