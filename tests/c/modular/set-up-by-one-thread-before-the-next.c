//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     the first thread is joined before the others start, and what it left is between 0 and 5
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int made;

static void *make(void *unused) {
    made = 900;
    made = 5;
    return unused;
}

static void *work(void *unused) {
    assert(made <= 5);
    return unused;
}

int main(void) {
    pthread_t first, thread;
    pthread_create(&first, 0, make, 0);
    pthread_join(first, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
