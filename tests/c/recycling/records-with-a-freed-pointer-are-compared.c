//@ truth: assert=unsafe
//@ options: --property assert
//@ why:   glibc gives 16 bytes where 8 were freed, so the records have the same bytes: the assertion fails in every run
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct key { long tag; void *owner; };
int main(void) {
    struct key a, b;
    void *p = malloc(8);
    if (!p) return 0;
    a.tag = 1; a.owner = p;
    free(p);
    b.tag = 1; b.owner = malloc(16);
    if (!b.owner) return 0;
    assert(memcmp(&a, &b, sizeof a) != 0);
    free(b.owner);
    return 0;
}
