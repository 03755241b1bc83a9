//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   glibc gives the same block again, and the count is the same, so the words are equal: the assertion fails in every run
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    uint64_t head = (uint64_t)(uintptr_t)p | (uint64_t)5 << 48;
    free(p);
    int *q = malloc(sizeof *q);
    if (!q) return 0;
    uint64_t again = (uint64_t)(uintptr_t)q | (uint64_t)5 << 48;
    assert(head != again);
    free(q);
    return 0;
}
