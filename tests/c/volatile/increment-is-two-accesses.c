//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     each access of `count++` is atomic, the increment is not: gcc loads, adds and stores, and one increment is lost
#include <assert.h>
#include <pthread.h>

static volatile int count;

static void *adder(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, adder, NULL);
    pthread_create(&other, NULL, adder, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 2);
    return 0;
}
