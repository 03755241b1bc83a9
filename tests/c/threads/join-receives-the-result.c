//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the value that the function returns is what `pthread_join` stores
#include <assert.h>
#include <pthread.h>

static void *work(void *argument) {
    return (char *)argument + 2;
}

int main(void) {
    char bytes[4];
    void *result;
    pthread_t thread;
    pthread_create(&thread, NULL, work, bytes);
    pthread_join(thread, &result);
    assert(result == bytes + 2);
    return 0;
}
