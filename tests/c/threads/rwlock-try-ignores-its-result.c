//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the thread writes although main may hold the lock
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_rwlock_trywrlock(&l);
    x = 1;
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_rwlock_wrlock(&l);
    x = 2;
    pthread_rwlock_unlock(&l);
    pthread_join(thread, NULL);
    return 0;
}
