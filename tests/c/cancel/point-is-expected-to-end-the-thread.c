//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the request may come after the point, and then the thread returns
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;

static void *work(void *result) {
    int old;
    
    steps = 1;
    pthread_testcancel();
    steps = 2;
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
    assert(result == PTHREAD_CANCELED);
    return 0;
}
