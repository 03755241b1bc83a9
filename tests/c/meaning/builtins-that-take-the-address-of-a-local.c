#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static int cell = 5;
static long wide = 7;
static atomic_int atomic = 9;
static _Bool flag;
static double real = 1.5;
static int *pointer;

static int given(int value) {
    int result = -1;
    __atomic_store(&cell, &value, __ATOMIC_SEQ_CST);
    __atomic_load(&cell, (&result), __ATOMIC_SEQ_CST);
    return result;
}

int main(void) {
    int loaded, old, mine = 11;
    __atomic_load(&cell, &loaded, __ATOMIC_SEQ_CST);
    __atomic_exchange(&cell, &mine, &old, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d\n", loaded, old, mine, cell);

    int expected = 3, desired = 12;
    _Bool done = __atomic_compare_exchange(&cell, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", done, expected, cell);
    done = __atomic_compare_exchange(&cell, (int *)&expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", done, expected, cell);

    // All arguments are evaluated before the builtin looks at any of them.
    expected = 0;
    done = __atomic_compare_exchange_n(&cell, &expected, (expected = 12, 20), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", done, expected, cell);
    int *where = &mine;
    int one = 1;
    __atomic_store((where = &one, &cell), &one, __ATOMIC_SEQ_CST);
    printf("%d %d\n", cell, *where);

    // Of another type: as large, and converted or not.
    unsigned other = 1;
    done = __atomic_compare_exchange_n(&cell, (int *)&other, -3, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    printf("%d %u %d\n", done, other, cell);
    long longer = 0;
    __atomic_load(&wide, &longer, __ATOMIC_SEQ_CST);
    printf("%ld\n", longer);

    double half = 0.5, was = 0;
    __atomic_exchange(&real, &half, &was, __ATOMIC_SEQ_CST);
    printf("%g %g\n", was, real);
    _Bool set = 1, before;
    __atomic_exchange(&flag, &set, &before, __ATOMIC_SEQ_CST);
    printf("%d %d\n", before, flag);
    int *to = &mine, *from;
    __atomic_store(&pointer, &to, __ATOMIC_SEQ_CST);
    __atomic_load(&pointer, &from, __ATOMIC_SEQ_CST);
    printf("%d\n", *from);

    int seen = 9;
    printf("%d", atomic_compare_exchange_strong(&atomic, &seen, 10));
    printf(" %d %d", seen, atomic_load(&atomic));
    printf(" %d", atomic_compare_exchange_strong(&atomic, &seen, 11));
    printf(" %d %d\n", seen, atomic_exchange(&atomic, seen + 5) + atomic_load(&atomic));
    for (int round = 0; round < 3; ++round)
        printf("%d ", atomic_exchange(&atomic, atomic_load(&atomic) + round));
    printf("%d\n", given(77));

    int sum, product;
    unsigned char small;
    _Bool over = __builtin_add_overflow(2000000000, 2000000000, &sum);
    printf("%d %d", over, sum);
    over = __builtin_mul_overflow(sum, 2, (&product));
    printf(" %d %d", over, product);
    over = __builtin_sub_overflow(3, 4, &small);
    printf(" %d %d\n", over, small);
    sum = 4;
    over = __builtin_add_overflow(sum, sum, &sum);
    printf("%d %d\n", over, sum);
    return 0;
}
