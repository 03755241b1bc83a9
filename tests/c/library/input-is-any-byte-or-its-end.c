//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the byte may be 77
#include <assert.h>
#include <stdio.h>

int main(void) {
    int byte = getchar();
    if (byte < -1 || byte > 255)
        return *(volatile int *)0;
    assert(byte != 77);
    return 0;
}
