//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `__atomic_add_fetch` gives the new value
#include <assert.h>

int main(void) {
    int x = 5;
    assert(__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == 5);
    return 0;
}
