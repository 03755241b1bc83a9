/* Adds up numbers in the pool. */
#include "pool.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int sum;

static void add(void *number)
{
    sum += *(int *)number;
}

int main(void)
{
    static int numbers[] = { 1, 2 };
    static struct pool pool;
    pool_start(&pool);
    for (int i = 0; i < 2; i++)
        pool_submit(&pool, add, &numbers[i]);
    pool_stop(&pool);
    assert(sum == 3);
    printf("%d\n", sum);
    return 0;
}
