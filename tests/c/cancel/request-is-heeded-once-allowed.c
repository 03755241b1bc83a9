//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the request that came meanwhile is heeded at the first point after cancelling is allowed again
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;

static void *work(void *result) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    steps = 1;
    pthread_testcancel();
    steps = 2;
    pthread_setcancelstate(old, NULL);
    pthread_testcancel();
    return result;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, &steps);
    while (steps == 0) {
    }
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == &steps);
    return 0;
}
