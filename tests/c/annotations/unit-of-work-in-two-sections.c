//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=unsafe
//@ expect:  reference atomic-sets=unknown
//@ why:     `low` of one unit may stay with `high` of the other
#include <pthread.h>

//@ atomic(Number)
static int low, high;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

//@ unit(Number)
static void set(int value) {
    pthread_mutex_lock(&m);
    low = value;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    high = value;
    pthread_mutex_unlock(&m);
}

static void *work(void *unused) {
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
