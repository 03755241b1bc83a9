//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=unsafe
//@ options: --atomic-sets structs
//@ expect:  reference atomic-sets=unknown
//@ why:     the members of a struct are a set, functions that take a lock are units; one sees `low` new and `high` old
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int low, high;
} number = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void set(int value) {
    pthread_mutex_lock(&number.lock);
    number.low = value;
    pthread_mutex_unlock(&number.lock);
    pthread_mutex_lock(&number.lock);
    number.high = value;
    pthread_mutex_unlock(&number.lock);
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
