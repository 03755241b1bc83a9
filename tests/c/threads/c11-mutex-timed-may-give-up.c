//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main may hold the mutex for longer than the thread waits
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;

static int work(void *unused) {
    struct timespec end = {1, 0};
    assert(mtx_timedlock(&m, &end) == thrd_success);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&m, mtx_timed);
    thrd_create(&thread, work, NULL);
    mtx_lock(&m);
    mtx_unlock(&m);
    thrd_join(thread, NULL);
    return 0;
}
