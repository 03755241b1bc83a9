//@ truth:   assert=unsafe
//@ options: --property assert
//@ why:     the variable lies in memory, because its address is taken, and nobody sets it
#include <assert.h>

static int *last;

int main(void) {
    int x;
    last = &x;
    assert(x < 1000);
    return 0;
}
