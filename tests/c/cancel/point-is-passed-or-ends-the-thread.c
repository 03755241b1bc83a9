//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the request may come before the point or after it
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
    assert(result == PTHREAD_CANCELED ? steps == 1 : result == &steps && steps == 2);
    return 0;
}
