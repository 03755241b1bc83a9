//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown
//@ why:     the function that the pointer holds runs although its type is another one, and `x` is 1 then
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
