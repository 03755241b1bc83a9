//@ truth:   assert=unsafe
//@ options: --property assert --max-threads 5
//@ why:     a worker may take three of two
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 2;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        assert(left >= 0 && left <= 100000);
        if (left == 0) {
            pthread_mutex_unlock(&lock);
            return unused;
        }
        left -= 2;
        left -= __VERIFIER_nondet_int() == 3;
        pthread_mutex_unlock(&lock);
    }
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
