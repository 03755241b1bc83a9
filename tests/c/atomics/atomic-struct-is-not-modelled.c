//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown
//@ why:     the struct is only copied; atomic objects that are no scalars are not modelled
#include <stdatomic.h>

struct pair {
    int first, second;
};

static _Atomic(struct pair) shared;

int main(void) {
    struct pair pair = {1, 2};
    atomic_store(&shared, pair);
    return 0;
}
