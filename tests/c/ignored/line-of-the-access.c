//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the only race is that of `hits`, and its line says that it does not count
#include <pthread.h>

static int hits;

static void *counter(void *unused) {
    hits++; //@ ignore race: nobody needs the exact number
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
