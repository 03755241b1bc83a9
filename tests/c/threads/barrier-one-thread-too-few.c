//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the barrier waits for three threads, and there are two
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *unused) {
    pthread_barrier_wait(&b);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&b, NULL, 3);
    pthread_create(&thread, NULL, work, NULL);
    pthread_barrier_wait(&b);
    pthread_join(thread, NULL);
    return 0;
}
