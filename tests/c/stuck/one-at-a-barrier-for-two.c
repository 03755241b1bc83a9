//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     POSIX, pthread_barrier_wait: it blocks until the required number of threads have called it, and only one does
//@ why:     under gcc main stays in pthread_barrier_wait
#include <pthread.h>
#include <sched.h>

static pthread_barrier_t b;

static void *idle(void *unused) {
    for (;;) {
        sched_yield();
    }
    return unused;
}

int main(void) {
    pthread_t i;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&i, NULL, idle, NULL);
    pthread_barrier_wait(&b);
    return 0;
}
