//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `quick_exit` calls the functions of `at_quick_exit` backwards, and no others
#include <assert.h>
#include <stdlib.h>

static int at;

__attribute__((destructor)) static void end(void) { assert(0); }

static void handler(void) { assert(0); }
static void first(void) { assert(at++ == 0); }
static void second(void) { assert(at++ == 1); }

int main(void) {
    atexit(handler);
    at_quick_exit(second);
    at_quick_exit(first);
    quick_exit(0);
}
