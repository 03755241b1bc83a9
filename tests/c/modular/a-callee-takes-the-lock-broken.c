//@ truth:   assert=unsafe
//@ options: --property assert --max-threads 5
//@ why:     another thread enters before the number is put back
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number;

static void enter(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }

static void *work(void *unused) {
    enter();
    assert(number == 0);
    number = 6;
    assert(number == 6);
    leave();
    number = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
