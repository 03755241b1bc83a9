//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     constructors run by ascending priority, then those without one, in the order of the text; entries of `.init_array` are among them, here with priorities of their own
#include <assert.h>

static int at;

__attribute__((constructor)) static void fifth(void) { assert(at++ == 4); }
__attribute__((constructor(200))) static void third(void) { assert(at++ == 2); }
__attribute__((constructor(101))) static void first(void) { assert(at++ == 0); }

static void second(void) { assert(at++ == 1); }
__attribute__((section(".init_array.00150"), used)) static void (*early)(void) = second;

static void fourth(void) { assert(at++ == 3); }
__attribute__((section(".init_array.00300"), used)) static void (*late)(void) = fourth;

__attribute__((constructor)) static void sixth(void) { assert(at++ == 5); }

int main(void) {
    assert(at == 6);
    return 0;
}
