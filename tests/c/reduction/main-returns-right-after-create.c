//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread may run before main returns; a reduction that goes on from the creation, a left mover, to the end of the process gives it no chance
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
