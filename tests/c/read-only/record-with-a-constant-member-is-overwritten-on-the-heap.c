//@ truth: assert=safe memory=safe
//@ options: --property assert --property memory
//@ why:   memory on the heap has no declared type, so nothing there is defined `const` (C11 6.5p6): this is how such records are made
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct account { const int id; int balance; };

int main(void) {
    struct account b = { 8, 200 };
    struct account *a = malloc(sizeof *a);
    if (!a)
        return 0;
    memcpy(a, &b, sizeof *a);
    *(int *)&a->id = 9;
    assert(a->id == 9 && a->balance == 200);
    free(a);
    return 0;
}
