//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `pthread_create` does not fail, so nothing is ever cancelled
#include <pthread.h>

static void *work(void *unused) {
    pthread_testcancel();
    return unused;
}

int main(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0)
        pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
