//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each thread begins with cancelling enabled
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
