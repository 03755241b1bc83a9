//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ expect:   reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     both threads write it, if it is an ordinary variable
#include <pthread.h>

extern struct { int count; } shared;

static void *worker(void *argument) {
    ((int *)argument)[0] = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, &shared);
    worker(&shared.count);
    pthread_join(thread, 0);
    return 0;
}
