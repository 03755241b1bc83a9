//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `x = x + 1` reads and writes in two steps
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *work(void *unused) {
    x = x + 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
