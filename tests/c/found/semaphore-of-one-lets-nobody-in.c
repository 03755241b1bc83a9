//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     a semaphore of one is taken for used up before anybody has entered, as in a public library of locks
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned current, most = 1;

static void acquire(unsigned amount) {
    pthread_mutex_lock(&lock);
    while (current + amount >= most)
        pthread_cond_wait(&changed, &lock);
    current += amount;
    pthread_mutex_unlock(&lock);
}

static void release(unsigned amount) {
    pthread_mutex_lock(&lock);
    current -= amount;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    acquire(1);
    release(1);
    return 0;
}
