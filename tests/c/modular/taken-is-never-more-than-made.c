//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     a thread takes one only if it has seen under the lock that more were made
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made, taken;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (__VERIFIER_nondet_int()) {
        if (made < 1000000)
            made++;
    } else if (taken < made) {
        taken++;
    }
    assert(taken <= made);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
