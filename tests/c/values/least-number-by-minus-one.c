//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:     C17 6.5.5p6: the quotient does not fit, and the remainder is undefined too; on x86 the process ends with SIGFPE
// static: unless-undefined
#include <limits.h>

int main(void) {
    volatile int least = INT_MIN, minus_one = -1;
    return least % minus_one;
}
