//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   C17 6.5p3 leaves all six orders of the calls open, also the one in which the third comes between the first two
#include <assert.h>

static int order;
static int note(int digit) {
    order = 10 * order + digit;
    return digit;
}

int main(void) {
    int sum = note(1) + note(2) + note(3);
    assert(sum == 6);
    assert(order != 132);
    return 0;
}
