//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the thread's join of itself fails with EDEADLK and does not wait (gcc: the assertion fails)
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t given;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_t own = given;
    pthread_mutex_unlock(&lock);
    int error = pthread_join(own, 0);
    assert(error == 0);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, 0, work, 0);
    given = t;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
