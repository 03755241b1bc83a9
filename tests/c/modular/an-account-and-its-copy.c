//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     money goes from one to the other and back under the lock
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int here, there;
} account = {500, 500};

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int before = account.here;
    if (before > 0) {
        account.here = before - 1;
        account.there = before - 1;
    }
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(account.here == account.there);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
