//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the writer may hold the lock for too long
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *unused) {
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_rwlock_timedrdlock(&l, &end) == 0);
    return 0;
}
