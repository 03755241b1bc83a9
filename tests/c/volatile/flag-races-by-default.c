//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     C17 5.1.2.4p25 knows no exception for volatile objects: `ready` is written and read at the same time
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
