//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown
//@ why:     nobody else has the object yet; gcc makes a relaxed store of `atomic_init`, which the engine cannot tell from others
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x;
    atomic_init(&x, 4);
    assert(atomic_load(&x) == 4);
    return 0;
}
