//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     each number has its lock
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int ones, others = 5;

static void *work(void *unused) {
    pthread_mutex_lock(&one);
    if (ones < 2)
        ones++;
    pthread_mutex_lock(&other);
    if (others > 3)
        others--;
    assert(ones < others);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&one);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
