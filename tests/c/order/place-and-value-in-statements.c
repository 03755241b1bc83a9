//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: the value is known before the place is looked for; what is assigned to may be changed by the call
#include <assert.h>

static int slots[3], count, total;
static int add(void) {
    total = 7;
    return ++count;
}

int main(void) {
    int value = add();
    slots[count] = value;
    assert(slots[1] == 1);
    total = add();
    assert(total == 2);
    return 0;
}
