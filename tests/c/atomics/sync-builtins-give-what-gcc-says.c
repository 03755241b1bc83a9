//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each builtin gives and leaves the value that gcc documents
#include <assert.h>

static int put(int *p, int value) {
    *p = value;
    return 1;
}

int main(void) {
    int x;
    assert(put(&x, 5) && __sync_fetch_and_add(&x, 3) == 5 && x == 8);
    assert(put(&x, 5) && __sync_add_and_fetch(&x, 3) == 8 && x == 8);
    assert(put(&x, 5) && __sync_fetch_and_sub(&x, 3) == 5 && x == 2);
    assert(put(&x, 5) && __sync_sub_and_fetch(&x, 3) == 2 && x == 2);
    assert(put(&x, 6) && __sync_fetch_and_and(&x, 3) == 6 && x == 2);
    assert(put(&x, 6) && __sync_and_and_fetch(&x, 3) == 2 && x == 2);
    assert(put(&x, 6) && __sync_fetch_and_or(&x, 3) == 6 && x == 7);
    assert(put(&x, 6) && __sync_or_and_fetch(&x, 3) == 7 && x == 7);
    assert(put(&x, 6) && __sync_fetch_and_xor(&x, 3) == 6 && x == 5);
    assert(put(&x, 6) && __sync_xor_and_fetch(&x, 3) == 5 && x == 5);
    assert(put(&x, 6) && __sync_fetch_and_nand(&x, 3) == 6 && x == ~2);
    assert(put(&x, 6) && __sync_nand_and_fetch(&x, 3) == ~2 && x == ~2);
    assert(put(&x, 5) && __sync_bool_compare_and_swap(&x, 5, 6) && !__sync_bool_compare_and_swap(&x, 5, 7) && x == 6);
    assert(__sync_val_compare_and_swap(&x, 5, 8) == 6 && __sync_val_compare_and_swap(&x, 6, 8) == 6 && x == 8);
    assert((__sync_synchronize(), x == 8));
    assert(__sync_lock_test_and_set(&x, 1) == 8 && x == 1);
    assert((__sync_lock_release(&x), x == 0));
    return 0;
}
