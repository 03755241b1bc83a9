//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   an exchange that failed for the padding has put the members there into `expected`, which are the same
#include <assert.h>
#include <stdatomic.h>
#include <string.h>

struct counted {
    void *pointer;
    int count;
};

static _Atomic struct counted shared;

int main(void)
{
    struct counted expected, desired = {&expected, 1};
    memset(&expected, 0xff, sizeof expected);
    expected.pointer = 0;
    expected.count = 0;
    while (!atomic_compare_exchange_strong(&shared, &expected, desired))
        assert(!expected.pointer && !expected.count);
    struct counted end = shared;
    assert(end.pointer == &expected && end.count == 1);
    return 0;
}
