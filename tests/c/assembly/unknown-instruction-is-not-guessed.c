//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     `rol` is not modelled; with gcc the program runs through
#include <assert.h>

int main(void) {
    unsigned value = 1;
    __asm__("roll $4, %0" : "+r"(value));
    assert(value == 16);
    return 0;
}
