//@ truth:   memory=safe
//@ options: --property memory --max-threads 5
//@ expect:  reference memory=unknown
//@ expect:   static memory=safe
//@ why:     main sets the pointer before the first start, and nobody changes it
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cell {
    int number;
} only;
static struct cell *shared;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    shared->number = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = &only;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
