//@ truth: assert=safe
//@ options: --property assert
//@ why:   both blocks live, so their addresses differ in some byte; the copy is the same as the pointer
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = malloc(sizeof *p), *copy;
    int *q = malloc(sizeof *q);
    if (!p || !q) return 0;
    memcpy(&copy, &p, sizeof p);
    *copy = 3;
    assert(memcmp(&copy, &p, sizeof p) == 0 && *p == 3);
    assert(memcmp(&p, &q, sizeof p) != 0);
    free(p);
    free(q);
    return 0;
}
