//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: statements have an order, and so have operands of `&&`, `,` and `?:`
#include <assert.h>

static int counter;
static int next(void) { return ++counter; }

int main(void) {
    int first = next();
    int difference = first - next();
    assert(difference == -1);
    assert(next() == 3 && next() == 4);
    int last = (next(), next());
    assert(last == 6);
    assert((next() == 7 ? next() : 0) == 8);
    return 0;
}
