//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     who reads and wants to write waits for itself; under gcc it waits for ever
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_wrlock(&l);
    return 0;
}
