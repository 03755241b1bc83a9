//@ truth:  assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect: reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:    a nested function leaves by a label of the function around, which is not modelled
#include <assert.h>

int main(void) {
    __label__ found;
    int at = 0;
    void find(int wanted) {
        for (at = 0; at < 5; at++)
            if (at == wanted)
                goto found;
    }
    find(3);
    return 1;
found:
    assert(at == 3);
    return 0;
}
