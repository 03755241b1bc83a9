//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread need not have come when sleep, lock and wait give up
#include <assert.h>
#include <threads.h>

int __thrd_sleep64(const struct timespec *, struct timespec *);
int __mtx_timedlock64(mtx_t *, const struct timespec *);
int __cnd_timedwait64(cnd_t *, mtx_t *, const struct timespec *);

static mtx_t m;
static cnd_t c;
static int x;

static int work(void *unused) {
    mtx_lock(&m);
    x++;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec end = {1, 0};
    mtx_init(&m, mtx_timed);
    cnd_init(&c);
    thrd_create(&thread, work, NULL);
    assert(__thrd_sleep64(&end, NULL) == 0);
    if (__mtx_timedlock64(&m, &end) == thrd_success) {
        assert(__cnd_timedwait64(&c, &m, &end) == thrd_success || x == 1);
        mtx_unlock(&m);
    }
    thrd_join(thread, NULL);
    return 0;
}
