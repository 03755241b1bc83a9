//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the accesses of `memcpy` belong to the line of its call
#include <pthread.h>
#include <string.h>

static char name[4];

static void *setter(void *unused) {
    memcpy(name, "abc", 4); //@ ignore race
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, setter, NULL);
    pthread_create(&other, NULL, setter, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
