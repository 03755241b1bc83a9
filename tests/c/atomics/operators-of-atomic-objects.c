//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `++`, `+=` and the others are one step on an `_Atomic` object
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *work(void *unused) {
    x++;
    x += 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 6);
    return 0;
}
