//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   glibc gives the same block again, so the bytes of both pointers are equal: the assertion fails in every run
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    int *old = p;
    free(p);
    int *q = malloc(sizeof *q);
    if (!q) return 0;
    assert(memcmp(&old, &q, sizeof old) != 0);
    free(q);
    return 0;
}
