//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the third power of 10 is 1000, which is behind the last element; gcc's program aborts
#include <assert.h>
#include <math.h>

int main(void) {
    int index = (int)pow(10, 3);
    assert(index < 1000);
    return 0;
}
