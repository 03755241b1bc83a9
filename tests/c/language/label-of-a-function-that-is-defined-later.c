//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   the label says what the linker calls `atoi`, and that is defined below: the program calls it and not the library's (gcc: the assertion fails)
#include <assert.h>

int atoi(const char *text) __asm__("number_of");

int main(void) {
    assert(atoi("3") == 3);
    return 0;
}

int number_of(const char *text) { return text[0]; }
