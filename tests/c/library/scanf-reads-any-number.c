//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the number may be 7
#include <assert.h>
#include <stdio.h>

int main(void) {
    unsigned char number = 0;
    if (scanf("%hhu", &number) != 1)
        return 1;
    assert(number != 7);
    return 0;
}
