//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the function of `atexit` runs when both threads have left, so it sees what both did
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x, y;

static void handler(void) {
    assert(x == 1);
    assert(y == 1);
}

static void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, work, NULL);
    y = 1;
    pthread_exit(NULL);
}
