//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   both halves of the address are those of the freed block, where glibc puts the new one: the assertion fails in every run
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
union word { void *p; uint64_t n; uint32_t half[2]; };
int main(void) {
    union word a, b;
    a.p = malloc(8);
    if (!a.p) return 0;
    free(a.p);
    b.p = malloc(8);
    if (!b.p) return 0;
    assert(a.half[0] != b.half[0] || a.half[1] != b.half[1]);
    free(b.p);
    return 0;
}
