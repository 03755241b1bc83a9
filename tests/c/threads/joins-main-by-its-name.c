//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main leaves by `pthread_exit`, and the other thread joins it by the name that it was given
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t first;
static int x;

static void *work(void *unused) {
    pthread_join(first, NULL);
    assert(x == 1);
    exit(0);
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, work, NULL);
    x = 1;
    pthread_exit(NULL);
}
