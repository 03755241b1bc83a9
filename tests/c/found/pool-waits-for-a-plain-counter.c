//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     workers count themselves under a lock, and who waits for them reads the count without it, as in a public thread pool
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int alive;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    alive++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    while (alive != 1)
        ;
    pthread_join(worker, 0);
    return 0;
}
