//@ truth: assert=safe
//@ options: --property assert
//@ why:   `p` lives, so no other block has its address, however it is mixed
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    static int base;
    int *p = malloc(sizeof *p);
    int *q = malloc(sizeof *q);
    if (!p || !q) return 0;
    uintptr_t mixed = (uintptr_t)p ^ (uintptr_t)&base;
    free(q);
    int *r = malloc(sizeof *r);
    if (!r) return 0;
    assert(((uintptr_t)r ^ (uintptr_t)&base) != mixed);
    assert((int *)(mixed ^ (uintptr_t)&base) == p);
    free(p);
    free(r);
    return 0;
}
