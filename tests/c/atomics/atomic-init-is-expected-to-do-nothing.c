//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the object holds what `atomic_init` put there; gcc makes a relaxed store of it
#include <assert.h>
#include <stdatomic.h>

int main(void) {
    atomic_int x = 3;
    atomic_init(&x, 4);
    assert(atomic_load(&x) == 3);
    return 0;
}
