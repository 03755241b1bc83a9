//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the copy of a mutex is none (POSIX 2.9.9), so it cannot be unlocked
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
