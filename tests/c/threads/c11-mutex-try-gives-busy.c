//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     trying a mutex that is held gives `thrd_busy`, waiting too long `thrd_timedout`
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;

static int work(void *unused) {
    struct timespec end = {1, 0};
    assert(mtx_trylock(&m) == thrd_busy);
    assert(mtx_timedlock(&m, &end) == thrd_timedout);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&m, mtx_timed);
    assert(mtx_trylock(&m) == thrd_success);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    mtx_unlock(&m);
    return 0;
}
