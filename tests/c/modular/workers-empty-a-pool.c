//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     a worker that finds nothing left goes home
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 20;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(left >= 0 && left <= 20);
        if (left == 0) {
            pthread_mutex_unlock(&lock);
            return unused;
        }
        left--;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
