//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   every byte belongs to a member, and all members are equal; a strong exchange fails for no other reason
#include <assert.h>
#include <stdatomic.h>

struct word {
    short half;
    _Bool is_set;
    char letter;
    float number;
};

static _Atomic struct word shared;

int main(void)
{
    struct word expected = {0}, desired = {-1, 1, 'a', 0.5f};
    assert(atomic_compare_exchange_strong(&shared, &expected, desired));
    assert(!atomic_compare_exchange_strong(&shared, &expected, desired));
    assert(expected.half == -1 && expected.is_set && expected.letter == 'a');
    assert(expected.number == 0.5f);
    return 0;
}
