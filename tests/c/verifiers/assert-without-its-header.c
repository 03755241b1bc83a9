//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread is joined before the assertion
#include <pthread.h>

extern void assert(int);

int count;

static void *add(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    assert(count == 1);
    return 0;
}
