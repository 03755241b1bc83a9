//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the broadcast may come before main waits
#include <threads.h>

static mtx_t m;
static cnd_t c;

static int work(void *unused) {
    cnd_broadcast(&c);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&m, mtx_plain);
    cnd_init(&c);
    thrd_create(&thread, work, NULL);
    mtx_lock(&m);
    cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(thread, NULL);
    return 0;
}
