//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the first element is a plain mutex, which cannot be locked twice
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

int main(void) {
    pthread_mutex_lock(&mutexes[1]);
    pthread_mutex_lock(&mutexes[1]);
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[0]);
    return 0;
}
