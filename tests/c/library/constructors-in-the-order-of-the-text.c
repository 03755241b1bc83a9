//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the constructor with the lower priority runs first, wherever it stands; under gcc it aborts
#include <assert.h>

static int at;

__attribute__((constructor(200))) static void first(void) { assert(at++ == 0); }
__attribute__((constructor(101))) static void second(void) { assert(at++ == 1); }

int main(void) { return 0; }
