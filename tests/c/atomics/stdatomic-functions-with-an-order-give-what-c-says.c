//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each function gives and leaves the value that C says
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x;
    int y = 0;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    assert((x = 5) && atomic_fetch_add_explicit(&x, 3, memory_order_seq_cst) == 5 && x == 8);
    assert((x = 5) && atomic_fetch_sub_explicit(&x, 3, memory_order_seq_cst) == 5 && x == 2);
    assert((x = 6) && atomic_fetch_and_explicit(&x, 3, memory_order_seq_cst) == 6 && x == 2);
    assert((x = 6) && atomic_fetch_or_explicit(&x, 3, memory_order_seq_cst) == 6 && x == 7);
    assert((x = 6) && atomic_fetch_xor_explicit(&x, 3, memory_order_seq_cst) == 6 && x == 5);
    assert((atomic_store_explicit(&x, 4, memory_order_seq_cst), atomic_load_explicit(&x, memory_order_seq_cst) == 4));
    assert(atomic_exchange_explicit(&x, 9, memory_order_seq_cst) == 4 && x == 9);
    assert(!atomic_compare_exchange_strong_explicit(&x, &y, 1, memory_order_seq_cst, memory_order_seq_cst) && y == 9);
    assert(atomic_compare_exchange_strong_explicit(&x, &y, 1, memory_order_seq_cst, memory_order_seq_cst) && x == 1);
    assert(!atomic_compare_exchange_weak_explicit(&x, &y, 2, memory_order_seq_cst, memory_order_seq_cst) && y == 1);
    assert(!atomic_flag_test_and_set_explicit(&flag, memory_order_seq_cst) && atomic_flag_test_and_set_explicit(&flag, memory_order_seq_cst));
    assert((atomic_flag_clear_explicit(&flag, memory_order_seq_cst), !atomic_flag_test_and_set_explicit(&flag, memory_order_seq_cst)));
    return 0;
}
