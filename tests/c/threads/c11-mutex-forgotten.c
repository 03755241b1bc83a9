//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main does not take the mutex
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
    mtx_init(&m, mtx_plain);
    thrd_create(&thread, work, NULL);
    x++;
    thrd_join(thread, NULL);
    assert(x == 2);
    return 0;
}
