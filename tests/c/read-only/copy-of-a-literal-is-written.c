//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   an array that a literal initialises is an object of its own, and may be written
#include <assert.h>
#include <string.h>

static char global[] = "abc";

int main(void) {
    char text[] = "abc";
    text[0] = 'x';
    global[1] = 'y';
    assert(strcmp(text, "xbc") == 0);
    assert(strcmp(global, "ayc") == 0);
    return 0;
}
