//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both threads write before the barrier and read after it
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x, y;

static void *work(void *unused) {
    x = 1;
    pthread_barrier_wait(&b);
    assert(y == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    y = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&b);
    return 0;
}
