//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     these results are numbers, and no library rounds them; gcc's program says the same
#include <assert.h>
#include <errno.h>
#include <math.h>

int main(void) {
    for (int i = 0; i <= 10; i++)
        assert(pow(2, i) == 1 << i);
    assert(pow(10, 9) == 1000000000 && pow(-3, 3) == -27 && pow(2, -2) == 0.25);
    assert(exp(0) == 1 && log(1) == 0 && sin(0) == 0 && cos(0) == 1 && log2(1024) == 10);
    errno = 0;
    assert(isnan(log(-1)) && errno == EDOM);
    assert(isinf(exp(1000)) && errno == ERANGE);
    assert((int)pow(5, 3) % 10 == 5 && powf(2, 10) == 1024 && remainder(7, 4) == -1);
    return 0;
}
