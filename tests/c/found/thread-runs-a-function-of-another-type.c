//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:     a function that gives an `int` is called as one that gives a pointer, which C leaves undefined, as in a public library of threads
#include <pthread.h>

typedef int (*start_function)(void *);

static int start(pthread_t *thread, start_function function, void *argument) {
    return pthread_create(thread, 0, (void *(*)(void *))function, argument);
}

static int answer(void *unused) {
    (void)unused;
    return 7;
}

int main(void) {
    pthread_t thread;
    start(&thread, answer, 0);
    void *result;
    pthread_join(thread, &result);
    return (long)result == 0;
}
