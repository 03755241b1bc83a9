//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     C17 6.5.16p3 leaves open whether `count` is read for the place before the call, as gcc 12 does, or after it
#include <assert.h>

static int slots[3], count;
static int add(void) { return ++count; }

int main(void) {
    slots[count] = add();
    assert(slots[0] == 1);
    return 0;
}
