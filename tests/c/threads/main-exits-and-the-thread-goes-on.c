//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `pthread_exit` in main ends only its own thread, so the other one gets to its assertion
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
