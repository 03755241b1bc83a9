//@ truth:   memory=unsafe
//@ options: --property memory --max-threads 5
//@ why:     a thread may follow the pointer before it is set
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
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    shared = &only;
    return 0;
}
