//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody gets more than half of the address space
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
    assert(malloc(-2) == NULL && errno == ENOMEM);
    return 0;
}
