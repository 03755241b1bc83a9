//@ truth: assert=safe
//@ options: --property assert
//@ why:   the address may be the same again, the count above it is not: this is what the count is for
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (!p) return 0;
    uint64_t head = (uint64_t)(uintptr_t)p << 16 | 5;
    free(p);
    int *q = malloc(sizeof *q);
    if (!q) return 0;
    uint64_t again = (uint64_t)(uintptr_t)q << 16 | 6;
    assert(head != again);
    free(q);
    return 0;
}
