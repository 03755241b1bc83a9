//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe invariant=unsafe
//@ why:     between the two stores the counters differ
#include <pthread.h>

//@ invariant !(first != second)
static int first, second;

int main(void) {
    first++;
    second++;
    return 0;
}
