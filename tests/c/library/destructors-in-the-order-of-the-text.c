//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     destructors run backwards, so `second` comes first; under gcc it aborts
#include <assert.h>

static int at;

__attribute__((destructor)) static void first(void) { assert(at++ == 0); }
__attribute__((destructor)) static void second(void) { assert(at++ == 1); }

int main(void) { return 0; }
