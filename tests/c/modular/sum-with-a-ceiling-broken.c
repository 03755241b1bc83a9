//@ truth:   overflow=unsafe
//@ options: --property overflow --max-threads 5
//@ expect:  reference overflow=unknown
//@ why:     two very negative numbers do not fit together
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *unused) {
    int more = __VERIFIER_nondet_int();
    if (more > 2147483647 - 5)
        more = 0;
    pthread_mutex_lock(&lock);
    if (sum < 1000000 || more < 0)
        sum += more;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
