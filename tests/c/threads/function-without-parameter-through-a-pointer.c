//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:     a call through a pointer of another type is undefined (C17 6.3.2.3p8), and what comes after it counts for nothing; gcc's program goes on, and `x` is 1 then
#include <assert.h>
#include <pthread.h>

static int x;

static void work() {
    x = 1;
}

static void *(*function)(void *) = (void *(*)(void *))work;

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
    assert(x == 0);
    return 0;
}
