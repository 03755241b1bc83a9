//@ truth:   assert=unsafe
//@ options: --property assert --max-threads 5
//@ why:     without the lock two threads go on from 2 together, and one of them finds 4
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int state = 2;

static void *work(void *unused) {
    if (state == 3)
        state = 0;
    else
        state++;
    assert(state >= 0 && state <= 3);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
