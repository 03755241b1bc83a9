#include <stdatomic.h>
#include <stdio.h>
_Atomic int a = 5;
_Atomic(unsigned char) b;
atomic_llong q;
struct S { int x, y; };
int main(void) {
    a++;
    a += 10;
    int old = atomic_fetch_add(&a, 3);
    printf("%d %d\n", old, a);
    b = 300;
    b--;
    printf("%d\n", b);
    atomic_store(&q, 1ll << 40);
    printf("%lld\n", (long long)atomic_load(&q));
    int expected = 1;
    _Bool ok = atomic_compare_exchange_strong(&a, &expected, 100);
    printf("%d %d %d\n", ok, expected, a);
    ok = atomic_compare_exchange_strong(&a, &expected, 100);
    printf("%d %d %d\n", ok, expected, a);
    printf("%d ", atomic_exchange(&a, 7));
    printf("%d\n", atomic_fetch_or(&a, 8) | a);
    atomic_fetch_and_explicit(&a, 6, memory_order_relaxed);
    printf("%d\n", a);
    atomic_fetch_xor(&a, 0xff);
    atomic_fetch_sub(&a, 1);
    printf("%d\n", a);
    atomic_flag f = ATOMIC_FLAG_INIT;
    printf("%d ", atomic_flag_test_and_set(&f));
    printf("%d\n", atomic_flag_test_and_set(&f));
    atomic_flag_clear(&f);
    atomic_thread_fence(memory_order_seq_cst);
    int *_Atomic p = &old;
    *p = 9;
    printf("%d\n", old);
    return 0;
}
