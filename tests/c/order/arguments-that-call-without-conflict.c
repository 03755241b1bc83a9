//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: the functions share nothing that one of them changes, so no order can be seen
#include <assert.h>

static int counter, other;
static const int limit = 3;
static int next(void) { return ++counter; }
static int next_other(void) { return ++other + limit; }
static int square(int x) { return x * x + limit; }
static int is_sum(int a, int b, int c) { return a + 3 + 7 == b + c - 1; }

int main(void) {
    assert(is_sum(next(), next_other(), square(2) + 1));
    assert(counter == 1);
    return 0;
}
