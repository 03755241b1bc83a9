//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=safe
//@ expect:  reference atomic-sets=unknown
//@ why:     the attributes say the same as comments; `other` is in no set
#include <pthread.h>

#define ATOMIC(set) __attribute__((annotate("raddle:atomic(" #set ")")))
#define UNIT(set) __attribute__((annotate("raddle:unit(" #set ")")))

static int low ATOMIC(Number), other;
static ATOMIC(Number) int high;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

UNIT(Number) static void set(int value) {
    pthread_mutex_lock(&m);
    low = value;
    high = value;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    other = value;
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
