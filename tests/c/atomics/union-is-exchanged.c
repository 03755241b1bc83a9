//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   gcc's builtins compare and move all bytes of the union, whichever member they belong to
#include <assert.h>
#include <stdint.h>

union word {
    struct {
        void *pointer;
        uint64_t count;
    };
    unsigned __int128 all;
    unsigned char bytes[16];
};

static union word shared;

int main(void)
{
    union word expected = {.all = 0}, desired = {.all = 0};
    desired.pointer = &shared;
    desired.count = 0x0102;
    assert(__atomic_compare_exchange(&shared, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    __atomic_load(&shared, &expected, __ATOMIC_SEQ_CST);
    assert(expected.pointer == &shared && expected.bytes[8] == 2 && expected.bytes[9] == 1);
    assert(expected.all >> 64 == 0x0102);
    expected.bytes[15] = 1;
    assert(!__atomic_compare_exchange(&shared, &expected, &desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    assert(expected.bytes[15] == 0);
    return 0;
}
