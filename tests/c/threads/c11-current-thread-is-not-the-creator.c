//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread compares itself with the name of `main`, which differs
#include <assert.h>
#include <threads.h>

static thrd_t creator;

static int work(void *unused) {
    assert(thrd_equal(thrd_current(), creator));
    return 0;
}

int main(void) {
    thrd_t thread;
    creator = thrd_current();
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    return 0;
}
