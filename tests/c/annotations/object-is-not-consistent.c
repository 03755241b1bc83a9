//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=unsafe
//@ expect:  reference atomic-sets=unknown
//@ why:     `first` of one unit may stay with `second` of the other, in the same object
#include <pthread.h>

struct pair {
    int first;      //@ atomic(Pair)
    //@ atomic(Pair)
    int second;
    int other;
};
static struct pair left, right;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void put(int *member, int value) {
    pthread_mutex_lock(&m);
    *member = value;
    pthread_mutex_unlock(&m);
}

//@ unit(Pair)
static void set(int value) {
    put(&right.first, value);
    put(&right.second, value);
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
