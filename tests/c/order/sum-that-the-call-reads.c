//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: the call only reads what is added to
#include <assert.h>

static int sum = 2;
static int f(void) { return sum + 1; }

int main(void) {
    sum += f();
    assert(sum == 5);
    return 0;
}
