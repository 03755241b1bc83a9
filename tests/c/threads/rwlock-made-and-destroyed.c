//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the lock keeps writers apart while it is alive
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l;
static int x;

static void *work(void *unused) {
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(pthread_rwlock_init(&l, NULL) == 0);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    assert(pthread_rwlock_destroy(&l) == 0);
    return 0;
}
