//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main does not wait for the thread
#include <assert.h>
#include <threads.h>

static int x;

static int work(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, work, NULL);
    assert(x == 1);
    return 0;
}
