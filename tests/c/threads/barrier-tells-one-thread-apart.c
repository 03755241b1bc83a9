//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     exactly one of the two gets PTHREAD_BARRIER_SERIAL_THREAD, the other 0; a barrier for nobody is refused
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t b;

static void *work(void *result) {
    *(int *)result = pthread_barrier_wait(&b);
    return 0;
}

int main(void) {
    pthread_t thread;
    int first, second;
    assert(pthread_barrier_init(&b, NULL, 0) == EINVAL);
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&thread, NULL, work, &first);
    work(&second);
    pthread_join(thread, NULL);
    assert(first == 0 || first == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(first + second == PTHREAD_BARRIER_SERIAL_THREAD);
    return 0;
}
