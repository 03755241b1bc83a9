//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      a number made of a pointer, moved below its object and back, is the pointer again
#include <assert.h>
#include <stdint.h>

static int before[3];
static int head[3];

int main(void)
{
    char *below = (char *)((uintptr_t)head - 4);
    assert(below + 4 == (char *)head);
    assert(below != (char *)before);
    assert((uintptr_t)((char *)head - 4) + 4 == (uintptr_t)head);
    *(int *)(below + 4) = 1;
    assert(head[0] == 1 && before[0] == 0);
    return 0;
}
