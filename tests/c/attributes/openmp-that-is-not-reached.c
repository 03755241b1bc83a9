//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody calls the function with the pragma, and the branch with the other one is not taken
#include <assert.h>

static int sum;

void unused(void) {
#pragma omp parallel
    sum++;
}

int main(void) {
    if (sum) {
        sum = 1;
#pragma omp barrier
    }
    assert(sum == 0);
    return 0;
}
