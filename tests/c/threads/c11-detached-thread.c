//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody joins the detached thread; a thread is itself and nobody else
#include <assert.h>
#include <threads.h>

static int work(void *creator) {
    assert(!thrd_equal(thrd_current(), *(thrd_t *)creator));
    return 0;
}

static thrd_t creator;

int main(void) {
    thrd_t thread;
    creator = thrd_current();
    thrd_create(&thread, work, &creator);
    assert(thrd_detach(thread) == thrd_success);
    assert(thrd_equal(creator, thrd_current()));
    return 0;
}
