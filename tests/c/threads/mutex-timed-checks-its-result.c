//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who waits too long gets ETIMEDOUT and leaves `x` alone
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    struct timespec end = {1, 0};
    int error = pthread_mutex_timedlock(&m, &end);
    if (error == 0) {
        x++;
        pthread_mutex_unlock(&m);
    } else {
        assert(error == ETIMEDOUT);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
