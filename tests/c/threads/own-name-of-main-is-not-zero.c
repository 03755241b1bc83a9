//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main has a name like any other thread: not 0, the same whenever it is asked, and not that of another thread
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *work(void *unused) {
    assert(pthread_self() != 0);
    assert(!pthread_equal(pthread_self(), first));
    return unused;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    assert(first != 0);
    pthread_create(&thread, NULL, work, NULL);
    assert(thread != first);
    pthread_join(thread, NULL);
    assert(pthread_equal(pthread_self(), first));
    return 0;
}
