//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     the local mutex becomes a recursive one before it is copied: its first value is not its last
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t lock;

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    lock = mutex;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
