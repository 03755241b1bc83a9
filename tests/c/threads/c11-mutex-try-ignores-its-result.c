//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     who did not get the mutex changes `x` all the same, and unlocks what it does not hold
#include <threads.h>

static mtx_t m;
static int x;

static int work(void *unused) {
    mtx_trylock(&m);
    x++;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&m, mtx_plain);
    thrd_create(&thread, work, NULL);
    work(NULL);
    thrd_join(thread, NULL);
    return 0;
}
