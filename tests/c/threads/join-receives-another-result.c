//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread returns its argument, not the address after it
#include <assert.h>
#include <pthread.h>

static void *work(void *argument) {
    return argument;
}

int main(void) {
    char bytes[4];
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, work, bytes);
    pthread_join(thread, &result);
    assert(result == bytes + 1);
    return 0;
}
