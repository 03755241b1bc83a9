//@ truth:   overflow=unsafe
//@ options: --property overflow
//@ why:     the quotient of the least number and -1 does not fit
#include <limits.h>

int main(void) {
    volatile long least = LONG_MIN, minus_one = -1;
    return least / minus_one != 0;
}
