//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     neither operand is at the edge together with the other
#include <assert.h>
#include <limits.h>

int main(void) {
    volatile int least = INT_MIN, minus_one = -1, two = 2;
    assert(least / two == INT_MIN / 2 && (least + 1) / minus_one == INT_MAX);
    assert(least % two == 0 && (least + 1) % minus_one == 0);
    unsigned most = UINT_MAX;
    assert(0x80000000u / most == 0 && 0x80000000u % most == 0x80000000u);
    return 0;
}
