//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   `mixed` is made of the address of the freed block, where glibc puts `q`: the assertion fails in every run
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    static int base;
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    uintptr_t mixed = (uintptr_t)p ^ (uintptr_t)&base;
    free(p);
    int *q = malloc(sizeof *q);
    int *r = malloc(sizeof *r);
    if (!q || !r) return 0;
    assert(((uintptr_t)q ^ (uintptr_t)&base) != mixed && ((uintptr_t)r ^ (uintptr_t)&base) != mixed);
    free(q); free(r);
    return 0;
}
