//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `return` computes its value before the scope is left: gcc gives 6
#include <assert.h>

static int shared = 5;

static void reset(int **place) {
    **place = 0;
}

static int take(void) {
    int *guard __attribute__((cleanup(reset))) = &shared;
    return *guard + 1;
}

int main(void) {
    int taken = take();
    assert(taken == 1);
    return 0;
}
