//@ truth:   race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe undefined=safe
//@ options: --property race --property deadlock --property memory --property lock-misuse --property uninitialized --property undefined
//@ why:     the function returns an `int` where a pointer is expected (C17 6.5.2.2p9): gcc's program finds 7 in the lower half of the register, and nobody set the upper half
#include <pthread.h>
#include <stdio.h>

static int work(void *unused) {
    return 7;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, (void *(*)(void *))work, NULL);
    pthread_join(thread, &result);
    if ((long)result == 7)
        puts("seven");
    return 0;
}
