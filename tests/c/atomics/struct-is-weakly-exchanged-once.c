//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a weak exchange may fail for no reason (C17 7.17.7.4p4)
#include <assert.h>
#include <stdatomic.h>

struct pair {
    int first, second;
};

static _Atomic struct pair shared;

int main(void)
{
    struct pair expected = {0, 0}, desired = {1, 2};
    assert(atomic_compare_exchange_weak(&shared, &expected, desired));
    return 0;
}
