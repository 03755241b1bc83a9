//@ truth:   assert=unsafe
//@ options: --property assert --max-threads 5
//@ why:     one may be taken before any was made
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
    } else if (taken <= made) {
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
