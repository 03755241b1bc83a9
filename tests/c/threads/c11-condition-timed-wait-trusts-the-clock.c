//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the time may pass before the thread sets the flag
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t c;
static int ready;

static int work(void *unused) {
    mtx_lock(&m);
    ready = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec end = {1, 0};
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&thread, work, NULL);
    mtx_lock(&m);
    if (!ready)
        cnd_timedwait(&c, &m, &end);
    assert(ready);
    return 0;
}
