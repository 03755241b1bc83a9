//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   nothing promises that memory is given again; glibc does so, but with another arena (a second thread, a fence) it does not
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
    if (!q) return 0;
    assert(((uintptr_t)q ^ (uintptr_t)&base) == mixed);
    free(q);
    return 0;
}
