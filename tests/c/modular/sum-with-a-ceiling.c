//@ truth:   overflow=safe
//@ options: --property overflow --max-threads 5
//@ expect:  reference overflow=unknown
//@ expect:   static overflow=safe
//@ why:     nobody adds to a sum that is near the end of its type
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *work(void *unused) {
    int more = __VERIFIER_nondet_int();
    if (more < 0 || more > 1000)
        more = 0;
    pthread_mutex_lock(&lock);
    if (sum < 1000000)
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
