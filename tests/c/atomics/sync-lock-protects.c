//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the exchange lets one thread in at a time
#include <assert.h>
#include <pthread.h>

static int lock, x;

static void *work(void *unused) {
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    x++;
    __sync_lock_release(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
