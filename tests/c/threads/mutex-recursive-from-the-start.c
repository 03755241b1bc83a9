//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     all three kinds of objects hold a mutex that may be locked twice
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t global = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct {
    int before;
    pthread_mutex_t mutexes[2];
} inside = {7, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}};

static void twice(pthread_mutex_t *m) {
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_unlock(m) == 0);
    assert(pthread_mutex_unlock(m) == 0);
}

int main(void) {
    pthread_mutex_t local = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    twice(&global);
    twice(&inside.mutexes[1]);
    twice(&local);
    return 0;
}
