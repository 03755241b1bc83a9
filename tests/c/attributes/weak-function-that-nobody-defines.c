//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the address of an undefined weak function is null: gcc's program says `hook: 0` and aborts
#include <assert.h>
#include <stdio.h>

extern int hook(void) __attribute__((weak));

int main(void) {
    printf("hook: %d\n", hook != 0);
    assert(hook);
    return 0;
}
