//@ truth:  assert=unsafe
//@ options: --property assert
//@ expect: reference assert=unknown
//@ why:    glibc puts the new block where the freed one lay, so both words are equal: the assertion fails in every run
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    void *old = malloc(8), *fresh;
    if (!old)
        return 0;
    free(old);
    fresh = malloc(8);
    if (!fresh)
        return 0;
    uint64_t *one = (uint64_t *)&old, *other = (uint64_t *)&fresh;
    assert(*one != *other);
    free(fresh);
    return 0;
}
