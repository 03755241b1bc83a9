//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     POSIX, pthread_once: it returns when the routine has, which waits for itself; under gcc it hangs
#include <pthread.h>
#include <sched.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *idle(void *unused) {
    for (;;) {
        sched_yield();
    }
    return unused;
}

static void routine(void) {
    pthread_once(&once, routine);
}

int main(void) {
    pthread_t i;
    pthread_create(&i, NULL, idle, NULL);
    pthread_once(&once, routine);
    return 0;
}
