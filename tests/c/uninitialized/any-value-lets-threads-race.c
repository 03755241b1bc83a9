//@ truth:   race=unsafe
//@ options: --property race
//@ why:     nobody asks whether `x` was set, so it is any number, and some make both threads write
#include <pthread.h>

static int shared;

static void *writes(void *unused) {
    shared = 1;
    return 0;
}

int main(void) {
    int x;
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    if (x)
        shared = 2;
    pthread_join(thread, 0);
    return 0;
}
