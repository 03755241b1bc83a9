//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the twin: `calloc` sets it to zero
#include <stdlib.h>

static int table[2];

int main(void) {
    unsigned *index = calloc(1, sizeof *index);
    table[*index % 2] = 1;
    free(index);
    return 0;
}
