//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main waits for a while at most and looks at what came
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int work(void *unused) {
    mtx_lock(&m);
    ready = 1;
    cnd_broadcast(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec end = {1, 0};
    int came = thrd_success;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&thread, work, NULL);
    mtx_lock(&m);
    while (!ready && came == thrd_success)
        came = cnd_timedwait(&c, &m, &end);
    assert(ready || came == thrd_timedout);
    mtx_unlock(&m);
    return 0;
}
