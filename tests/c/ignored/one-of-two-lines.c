//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the write of `hits` on the other line races with that of the other thread, and nothing is said of that line
#include <pthread.h>

static int hits;

static void *counter(void *unused) {
    //@ ignore race
    hits++;
    hits = 7;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, counter, NULL);
    pthread_create(&other, NULL, counter, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
