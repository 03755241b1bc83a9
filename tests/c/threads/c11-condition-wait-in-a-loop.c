//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main looks at the flag again after every wake-up
#include <assert.h>
#include <threads.h>

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
    mtx_init(&m, mtx_plain);
    assert(cnd_init(&c) == thrd_success);
    thrd_create(&thread, work, NULL);
    mtx_lock(&m);
    while (!ready)
        assert(cnd_wait(&c, &m) == thrd_success);
    mtx_unlock(&m);
    thrd_join(thread, NULL);
    cnd_destroy(&c);
    return 0;
}
