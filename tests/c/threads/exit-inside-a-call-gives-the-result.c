//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `pthread_exit` ends the thread from inside a call, and its argument is the result
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(void) {
    pthread_exit((void *)(intptr_t)7);
}

static void *work(void *unused) {
    leave();
    assert(0);
    return unused;
}

int main(void) {
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, &result);
    assert((intptr_t)result == 7);
    return 0;
}
