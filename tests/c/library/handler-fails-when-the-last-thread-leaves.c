//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     whoever leaves last calls the functions of `atexit`; under gcc the program aborts
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void handler(void) { assert(x == 0); }

static void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
