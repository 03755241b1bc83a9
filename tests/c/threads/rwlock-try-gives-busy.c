//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a reader keeps writers out, not readers; a writer keeps out everybody
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *first(void *unused) {
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == 0);
    pthread_rwlock_unlock(&l);
    return unused;
}

static void *second(void *unused) {
    assert(pthread_rwlock_trywrlock(&l) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_rdlock(&l);
    pthread_create(&thread, NULL, first, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l);
    pthread_create(&thread, NULL, second, NULL);
    pthread_join(thread, NULL);
    pthread_rwlock_unlock(&l);
    return 0;
}
