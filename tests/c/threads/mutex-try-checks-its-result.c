//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `x` is changed only by who got the mutex
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    int error = pthread_mutex_trylock(&m);
    if (error == 0) {
        x++;
        pthread_mutex_unlock(&m);
    } else {
        assert(error == EBUSY);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
