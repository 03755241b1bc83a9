//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who does not get the lock in time leaves `x` alone
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *work(void *unused) {
    struct timespec end = {1, 0};
    int error = pthread_rwlock_timedwrlock(&l, &end);
    if (error == 0) {
        x = 1;
        pthread_rwlock_unlock(&l);
    } else {
        assert(error == ETIMEDOUT);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_rwlock_timedrdlock(&l, &end) == 0) {
        assert(x == 0 || x == 1);
        pthread_rwlock_unlock(&l);
    }
    pthread_join(thread, NULL);
    return 0;
}
