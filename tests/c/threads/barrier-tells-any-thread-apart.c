//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread that is told apart may be the other one
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *unused) {
    pthread_barrier_wait(&b);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_join(thread, NULL);
    return 0;
}
