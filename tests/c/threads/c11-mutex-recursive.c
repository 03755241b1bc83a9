//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a recursive mutex may be locked again
#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t m;
    assert(mtx_init(&m, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_lock(&m) == thrd_success);
    assert(mtx_unlock(&m) == thrd_success);
    assert(mtx_unlock(&m) == thrd_success);
    mtx_destroy(&m);
    return 0;
}
