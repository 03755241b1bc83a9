//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the destructor runs after main has returned; under gcc it aborts
#include <assert.h>

static int x;

__attribute__((destructor)) static void end(void) { assert(x == 0); }

int main(void) {
    x = 1;
    return 0;
}
