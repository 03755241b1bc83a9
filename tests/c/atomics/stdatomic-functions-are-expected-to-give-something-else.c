//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     all functions do what C says; the assertion says that one does not
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x;
    int y = 0;
    atomic_flag flag = ATOMIC_FLAG_INIT;
    assert(!((x = 5) && atomic_fetch_add(&x, 3) == 5 && x == 8
             && (x = 5) && atomic_fetch_sub(&x, 3) == 5 && x == 2
             && (x = 6) && atomic_fetch_and(&x, 3) == 6 && x == 2
             && (x = 6) && atomic_fetch_or(&x, 3) == 6 && x == 7
             && (x = 6) && atomic_fetch_xor(&x, 3) == 6 && x == 5
             && (atomic_store(&x, 4), atomic_load(&x) == 4)
             && atomic_exchange(&x, 9) == 4 && x == 9
             && !atomic_compare_exchange_strong(&x, &y, 1) && y == 9
             && atomic_compare_exchange_strong(&x, &y, 1) && x == 1
             && !atomic_compare_exchange_weak(&x, &y, 2) && y == 1
             && !atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag)
             && (atomic_flag_clear(&flag), !atomic_flag_test_and_set(&flag))
             && atomic_is_lock_free(&x) && kill_dependency(y) == 1
             && (atomic_thread_fence(memory_order_seq_cst), atomic_signal_fence(memory_order_seq_cst), x == 1)));
    return 0;
}
