//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     a writer may hold the lock, and the reader reads all the same; then it releases what it does not hold
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, seen;

static void *work(void *unused) {
    pthread_rwlock_wrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_rwlock_tryrdlock(&l);
    seen = x;
    pthread_rwlock_unlock(&l);
    pthread_join(thread, NULL);
    return 0;
}
