//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ why:   half of the pair is never set; it is copied twice, and then the assertion looks at it
#include <assert.h>

struct pair {
    int first, second;
};

static struct pair kept;

static struct pair made(void) {
    struct pair it;
    it.first = 1;
    return it;
}

int main(void) {
    kept = made();
    assert(kept.second == 1);
    return 0;
}
