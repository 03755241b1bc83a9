//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the mutex orders the accesses; sleeping and yielding add nothing
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int x;

static int work(void *unused) {
    mtx_lock(&m);
    x = 1;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec second = {1, 0};
    mtx_init(&m, mtx_plain);
    thrd_create(&thread, work, NULL);
    assert(thrd_sleep(&second, NULL) == 0);
    thrd_yield();
    mtx_lock(&m);
    assert(x == 0 || x == 1);
    mtx_unlock(&m);
    thrd_join(thread, NULL);
    return 0;
}
