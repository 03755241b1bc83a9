//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a `main` that returns ends the process, not the thread
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

static void end(void *value) {
    assert(0);
}

int main(void) {
    pthread_key_create(&key, end);
    pthread_setspecific(key, &x);
    return 0;
}
