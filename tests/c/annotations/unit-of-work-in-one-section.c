//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=safe
//@ expect:  reference atomic-sets=unknown
//@ why:     the two halves are written in one section, so the units come one after the other
#include <pthread.h>

//@ atomic(Number)
static int low, high;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

//@ unit(Number)
static void set(int value) {
    pthread_mutex_lock(&m);
    low = value;
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
