//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread and its creator are two threads
#include <assert.h>
#include <pthread.h>

static pthread_t creator;

static void *work(void *unused) {
    assert(pthread_equal(pthread_self(), creator) != 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    creator = pthread_self();
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
