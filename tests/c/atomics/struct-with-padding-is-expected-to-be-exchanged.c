//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   bytes are compared, padding too: with gcc 12 and libatomic the exchange fails, since the padding of `expected` is not zero
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
    assert(atomic_compare_exchange_strong(&shared, &expected, desired));
    return 0;
}
