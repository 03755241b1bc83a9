//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     whoever gets the mutex, by an attempt too, comes after those who had it before
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, done, seen;

static void *work(void *unused) {
    x = 1;
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (pthread_mutex_trylock(&m) == 0) {
        if (done)
            seen = x;
        pthread_mutex_unlock(&m);
    }
    pthread_join(thread, NULL);
    return 0;
}
