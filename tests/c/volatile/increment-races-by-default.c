//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the twin: without the option the accesses race, and an increment is lost all the same
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
