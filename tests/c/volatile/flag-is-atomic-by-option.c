//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     the twin: with the option `ready` is atomic, and `value` is read only after it
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int value;

static void *giver(void *unused) {
    value = 7;
    ready = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, giver, NULL);
    if (ready)
        assert(value == 7);
    pthread_join(thread, NULL);
    return 0;
}
