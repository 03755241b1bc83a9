//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   it is repeated until it does not fail, and what it saw is always what is there
#include <assert.h>
#include <stdatomic.h>

struct pair {
    int first, second;
};

static _Atomic struct pair shared;

int main(void)
{
    struct pair expected = {7, 8}, desired = {1, 2};
    while (!atomic_compare_exchange_weak(&shared, &expected, desired))
        assert(!expected.first && !expected.second);
    struct pair end = atomic_load(&shared);
    assert(end.first == 1 && end.second == 2);
    return 0;
}
