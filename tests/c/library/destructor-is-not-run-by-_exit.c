//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `_exit` runs no destructor and no function of `atexit`
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int x;

__attribute__((destructor)) static void end(void) { assert(x == 0); }

static void handler(void) { assert(x == 0); }

int main(void) {
    atexit(handler);
    x = 1;
    _exit(0);
}
