//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a function whose address lies in `.fini_array` runs at the end; under gcc it aborts
#include <assert.h>

static void end(void) { assert(0); }

__attribute__((section(".fini_array"), used)) static void (*table)(void) = end;

int main(void) { return 0; }
