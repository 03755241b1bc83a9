//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   overlapping or not, every byte arrives
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *from = malloc(3), *to = malloc(3);
    memcpy(from, "abc", 3);
    memmove(to, from, 3);
    memmove(to + 1, to, 2);
    assert(to[0] == 'a' && to[1] == 'a' && to[2] == 'b');
    memmove(from, from + 1, 2);
    assert(from[0] == 'b' && from[1] == 'c' && from[2] == 'c');
    free(from);
    free(to);
    return 0;
}
