//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=safe
//@ expect:  reference atomic-sets=unknown
//@ why:     each call is a unit, and ends where it returns: a unit that went on would hold both calls
#include <pthread.h>

//@ atomic(Number)
static int low, high;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

//@ unit
static int set(int value) {
    pthread_mutex_lock(&m);
    if (low > value) {
        pthread_mutex_unlock(&m);
        return 0;
    }
    low = value;
    high = value;
    pthread_mutex_unlock(&m);
    return 1;
}

static void *work(void *unused) {
    set(3);
    set(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    set(2);
    pthread_join(thread, NULL);
    return 0;
}
