//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `quick_exit` calls the function; under gcc it aborts
#include <assert.h>
#include <stdlib.h>

static void last(void) { assert(0); }

int main(void) {
    at_quick_exit(last);
    quick_exit(0);
}
