//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe atomic-sets=safe
//@ expect:  reference atomic-sets=unknown
//@ why:     each pair is written in one section; that the two pairs come from different units does not matter
#include <pthread.h>

struct pair {
    int first;      //@ atomic(Pair)
    //@ atomic(Pair)
    int second;
    int other;
};
static struct pair left, right;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void put(struct pair *pair, int value) {
    pthread_mutex_lock(&m);
    pair->first = value;
    pair->second = value;
    pair->other = value;
    pthread_mutex_unlock(&m);
}

//@ unit(Pair)
static void set(int value) {
    put(&left, value);
    put(&right, value);
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
