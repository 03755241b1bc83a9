//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     the other file initialises the lock
#include <pthread.h>

extern pthread_mutex_t lock;

static void use(pthread_mutex_t *which) {
    pthread_mutex_lock(which);
    pthread_mutex_unlock(which);
}

int main(void) {
    use(&lock);
    return 0;
}
