//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     with `-fopenmp` the additions race, without it there is one thread; a reached pragma is not modelled
#include <assert.h>

static int sum;

int main(void) {
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        sum += i;
    assert(sum <= 1);
    return 0;
}
