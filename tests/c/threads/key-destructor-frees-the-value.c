//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe leak=safe
//@ options: --property assert --property race --property deadlock --property memory --property lock-misuse --property leak
//@ why:     the destructor runs when the thread ends, before the join returns
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int freed;

static void end(void *value) {
    assert(pthread_getspecific(key) == NULL);
    free(value);
    freed = 1;
}

static void *work(void *unused) {
    pthread_setspecific(key, malloc(1));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, end);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(freed);
    return 0;
}
