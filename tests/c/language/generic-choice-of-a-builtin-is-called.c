//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the name of a builtin may stand in a `_Generic` that is called, and in brackets
#include <assert.h>

#define EXCHANGE(p, e, d)                                                                                              \
    _Generic((p), int *: __atomic_compare_exchange_n, long *: __atomic_compare_exchange_n)((p), (e), (d), 0, 5, 5)
#define LOAD(p) (__atomic_load_n)((p), 5)

static int number;
static long wide;

static int twice(int value) { return 2 * value; }
static int half(int value) { return value / 2; }

int main(void) {
    int seen = 0;
    long other = 1;
    assert(EXCHANGE(&number, &seen, 3));
    assert(!EXCHANGE(&wide, &other, 4));
    assert(other == 0 && LOAD(&number) == 3);
    assert(_Generic(number, int: twice, default: half)(8) == 16);
    assert(_Generic(wide, int: twice, default: half)(8) == 4);
    return 0;
}
