//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     glibc gives `thrd_error` and does not wait
#include <assert.h>
#include <threads.h>

int main(void) {
    assert(thrd_join(thrd_current(), NULL) == thrd_error);
    return 0;
}
