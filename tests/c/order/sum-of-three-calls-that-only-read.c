//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   whichever call comes first, none changes what another one reads
#include <assert.h>

static int unit = 2;
static int times(int factor) { return factor * unit; }

int main(void) {
    int sum = times(1) + times(2) + times(3) / times(1);
    assert(sum == 9);
    return 0;
}
