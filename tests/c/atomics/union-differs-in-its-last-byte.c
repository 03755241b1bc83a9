//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   gcc's builtins compare all bytes of the union, so the exchange fails for the last one
#include <assert.h>
#include <stdint.h>

union word {
    struct {
        void *pointer;
        uint64_t count;
    };
    unsigned char bytes[16];
};

static union word shared;

int main(void)
{
    union word expected = {{0, 0}}, desired = {{&shared, 1}};
    expected.bytes[15] = 1;
    assert(__atomic_compare_exchange(&shared, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return 0;
}
