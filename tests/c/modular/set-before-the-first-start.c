//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     nobody writes once there are threads
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int limit, step;

static void *work(void *unused) {
    assert(limit == 7 && step == 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    limit = 7;
    step = 2;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
