//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   without a number in the input nothing is stored
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned char number = 7;
    scanf("%hhu", &number);
    assert(number != 7);
    return 0;
}
