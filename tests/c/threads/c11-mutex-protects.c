//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the mutex keeps the increments apart
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int x;

static int work(void *unused) {
    mtx_lock(&m);
    x++;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    assert(mtx_init(&m, mtx_plain) == thrd_success);
    thrd_create(&thread, work, NULL);
    work(NULL);
    thrd_join(thread, NULL);
    assert(x == 2);
    mtx_destroy(&m);
    return 0;
}
