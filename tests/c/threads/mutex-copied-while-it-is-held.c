//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     the copy of a mutex is none (POSIX); what copying makes of one that is in use is not modelled
#include <pthread.h>

static pthread_mutex_t copy;

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    copy = mutex;
    pthread_mutex_unlock(&copy);
    pthread_mutex_unlock(&mutex);
    return 0;
}
