//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the thread ends with the mutex that main waits for
#include <threads.h>

static mtx_t m;

static int work(void *unused) {
    mtx_lock(&m);
    thrd_exit(0);
}

int main(void) {
    thrd_t thread;
    mtx_init(&m, mtx_plain);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    mtx_lock(&m);
    return 0;
}
