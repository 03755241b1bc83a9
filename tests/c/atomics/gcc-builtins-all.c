//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the values that gcc documents
#include <assert.h>
#include <stdbool.h>

int main(void) {
    int x = 5, y, z;
    assert(__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == 6);
    assert(__atomic_sub_fetch(&x, 2, __ATOMIC_SEQ_CST) == 4);
    assert(__atomic_and_fetch(&x, 12, __ATOMIC_SEQ_CST) == 4);
    assert(__atomic_or_fetch(&x, 3, __ATOMIC_SEQ_CST) == 7);
    assert(__atomic_xor_fetch(&x, 1, __ATOMIC_SEQ_CST) == 6);
    assert(__atomic_nand_fetch(&x, 2, __ATOMIC_SEQ_CST) == ~2);
    assert(__atomic_fetch_nand(&x, 1, __ATOMIC_SEQ_CST) == ~2 && x == ~1);
    assert(__atomic_exchange_n(&x, 3, __ATOMIC_SEQ_CST) == ~1);
    y = 8;
    __atomic_exchange(&x, &y, &z, __ATOMIC_SEQ_CST);
    assert(z == 3 && x == 8);
    __atomic_load(&x, &z, __ATOMIC_SEQ_CST);
    assert(z == 8);
    y = 9;
    __atomic_store(&x, &y, __ATOMIC_SEQ_CST);
    __atomic_store_n(&x, __atomic_load_n(&x, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);
    assert(x == 10);
    y = 1, z = 4;
    assert(!__atomic_compare_exchange(&x, &y, &z, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && y == 10);
    assert(__atomic_compare_exchange_n(&x, &y, 11, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && x == 11);
    char flag = 0;
    assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST) && __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    assert(!flag);
    int a[3], *p = a;
    assert(__atomic_fetch_add(&p, sizeof(int), __ATOMIC_SEQ_CST) == a && p == a + 1);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
