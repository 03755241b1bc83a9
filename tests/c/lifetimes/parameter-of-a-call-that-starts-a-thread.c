//@ truth: assert=safe memory=unsafe
//@ options: --property assert --property memory
//@ why:   `start` returns before the thread reads its parameter, or after it: nobody waits (C11 6.2.4p6)
#include <pthread.h>

static pthread_t thread;

static void *reader(void *argument) {
    return (void *)(long)*(int *)argument;
}

static void start(int value) {
    pthread_create(&thread, 0, reader, &value);
}

int main(void) {
    start(1);
    pthread_join(thread, 0);
    return 0;
}
