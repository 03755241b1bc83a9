//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `pthread_self` in the thread equals what `pthread_create` stored
#include <assert.h>
#include <pthread.h>

static pthread_t seen;

static void *work(void *unused) {
    seen = pthread_self();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(pthread_equal(seen, thread));
    assert(!pthread_equal(seen, pthread_self()));
    return 0;
}
