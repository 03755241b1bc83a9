//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ why:   what `malloc` returns holds nothing (C17 7.22.3.4p2), and the index is a look
#include <stdlib.h>

static int table[2];

int main(void) {
    unsigned *index = malloc(sizeof *index);
    table[*index % 2] = 1;
    free(index);
    return 0;
}
