//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the routine waits for itself, whatever main does; under gcc the thread waits for ever
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) { pthread_once(&once, prepare); }

static void *work(void *unused) {
    pthread_once(&once, prepare);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (;;) {
    }
}
