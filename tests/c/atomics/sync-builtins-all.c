//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the values that gcc documents
#include <assert.h>

int main(void) {
    int x = 5;
    assert(__sync_fetch_and_add(&x, 1) == 5 && __sync_add_and_fetch(&x, 1) == 7);
    assert(__sync_fetch_and_sub(&x, 1) == 7 && __sync_sub_and_fetch(&x, 1) == 5);
    assert(__sync_fetch_and_or(&x, 2) == 5 && __sync_or_and_fetch(&x, 8) == 15);
    assert(__sync_fetch_and_and(&x, 6) == 15 && __sync_and_and_fetch(&x, 4) == 4);
    assert(__sync_fetch_and_xor(&x, 1) == 4 && __sync_xor_and_fetch(&x, 1) == 4);
    assert(__sync_fetch_and_nand(&x, 4) == 4 && __sync_nand_and_fetch(&x, 1) == ~1);
    x = 5;
    assert(__sync_bool_compare_and_swap(&x, 5, 6) && !__sync_bool_compare_and_swap(&x, 5, 7));
    assert(__sync_val_compare_and_swap(&x, 6, 7) == 6 && __sync_val_compare_and_swap(&x, 6, 8) == 7);
    assert(x == 7);
    return 0;
}
