//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     sleeping and yielding do not wait for the other thread
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
    assert(x == 1);
    thrd_join(thread, NULL);
    return 0;
}
