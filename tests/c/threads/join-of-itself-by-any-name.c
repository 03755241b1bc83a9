//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   glibc gives EDEADLK to a thread that joins itself, whoever told it its id (gcc: the assertions hold)
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t own, given;
static int first, second;

static void *work(void *unused) {
    own = pthread_self();
    first = pthread_join(own, 0);
    pthread_mutex_lock(&lock);
    second = pthread_join(given, 0);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_create(&given, 0, work, 0);
    pthread_mutex_unlock(&lock);
    assert(pthread_join(given, 0) == 0);
    assert(first == EDEADLK && second == EDEADLK);
    assert(pthread_join(pthread_self(), 0) == EDEADLK);
    return 0;
}
