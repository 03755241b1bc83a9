//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `thrd_exit` ends the thread from inside a call, with its result
#include <assert.h>
#include <threads.h>

static void leave(void) {
    thrd_exit(4);
}

static int work(void *unused) {
    leave();
    return 5;
}

int main(void) {
    thrd_t thread;
    int result;
    thrd_create(&thread, work, NULL);
    thrd_yield();
    thrd_join(thread, &result);
    assert(result == 4);
    return 0;
}
