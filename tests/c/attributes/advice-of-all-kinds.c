//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     these attributes and pragmas change nothing that a program sees
#include <assert.h>

#pragma GCC push_options
#pragma GCC optimize("O3", "no-strict-aliasing")
#pragma GCC target("sse4.2")
__attribute__((hot, flatten, leaf, nothrow, const)) static inline int
twice(int x) {
    return 2 * x;
}
#pragma GCC pop_options

static int counter __attribute__((used, section(".data.counter"), visibility("hidden")));
typedef int word __attribute__((may_alias, aligned(4)));
struct __attribute__((packed, ms_struct)) plain {
    char c __attribute__((unused));
    int x;
};

__attribute__((noinline, noclone, optimize("O1"), target("avx2"), no_instrument_function)) static int
thrice(word x) {
#pragma GCC unroll 4
    for (int i = 0; i < 2; i++)
        counter++;
    return 3 * x;
}

int main(void) {
    assert(twice(2) == 4 && thrice(1) == 3 && counter == 2 && sizeof(struct plain) == 5);
    switch (counter) {
    case 2:
        counter = 1;
        __attribute__((fallthrough));
    default:
        counter++;
    }
    assert(counter == 2);
    return 0;
}
