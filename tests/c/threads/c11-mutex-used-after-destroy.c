//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the mutex is gone
#include <threads.h>

int main(void) {
    mtx_t m;
    mtx_init(&m, mtx_plain);
    mtx_destroy(&m);
    mtx_lock(&m);
    return 0;
}
