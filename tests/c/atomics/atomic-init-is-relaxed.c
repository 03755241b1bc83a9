//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody else has the object yet; gcc makes a relaxed store of `atomic_init`, and a thread that is alone orders all it does
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x;
    atomic_init(&x, 4);
    assert(atomic_load(&x) == 4);
    return 0;
}
