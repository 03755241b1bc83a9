//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     whoever takes one has seen under the lock that there is one
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int left;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (__VERIFIER_nondet_int()) {
        if (left < 1000)
            left++;
        pthread_cond_signal(&more);
    } else {
        while (left == 0)
            pthread_cond_wait(&more, &lock);
        left--;
    }
    assert(left >= 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
