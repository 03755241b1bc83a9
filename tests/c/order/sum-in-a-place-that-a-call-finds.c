//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   whichever of the two calls comes first, each is made once
#include <assert.h>

static int found, added, last, total = 1;
static int *place(void) {
    found++;
    last = 1;
    return &total;
}
static int amount(void) {
    added++;
    last = 2;
    return 2;
}

int main(void) {
    *place() += amount() + 1;
    assert(found == 1 && added == 1 && total == 4);
    assert(last == 1 || last == 2);
    return 0;
}
