//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     glibc gives EDEADLK and does not wait
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused) {
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    assert(pthread_join(thread, NULL) == 0);
    return 0;
}
