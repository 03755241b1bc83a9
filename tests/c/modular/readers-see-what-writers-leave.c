//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     a writer leaves 1 to 5, and readers look when no writer is inside
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int level = 3;

static void *work(void *unused) {
    if (__VERIFIER_nondet_int()) {
        pthread_rwlock_wrlock(&lock);
        level = 0;
        level = 5;
        pthread_rwlock_unlock(&lock);
    } else {
        pthread_rwlock_rdlock(&lock);
        assert(level >= 1 && level <= 5);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
