//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   bytes are compared, so 0.0 is not -0.0, though they are equal: gcc's exchange fails
#include <assert.h>
#include <stdatomic.h>

struct pair {
    double first, second;
};

static _Atomic struct pair shared;

int main(void)
{
    struct pair expected = {-0.0, 0.0}, desired = {1, 1};
    assert(expected.first == 0.0);
    assert(atomic_compare_exchange_strong(&shared, &expected, desired));
    return 0;
}
