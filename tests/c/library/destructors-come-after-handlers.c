//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     functions of `atexit` run first, then destructors: those without a priority backwards, then those with higher priorities first, as gcc does it
#include <assert.h>
#include <stdlib.h>

static int at;

__attribute__((destructor)) static void fourth(void) { assert(at++ == 3); }
__attribute__((destructor)) static void third(void) { assert(at++ == 2); }
__attribute__((destructor(200))) static void fifth(void) { assert(at++ == 4); }
__attribute__((destructor(101))) static void sixth(void) { assert(at++ == 5); }

static void first(void) { assert(at++ == 0); }
static void second(void) { assert(at++ == 1); }

int main(void) {
    atexit(second);
    atexit(first);
    return 0;
}
