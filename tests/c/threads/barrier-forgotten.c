//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main does not wait for the thread to write
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t b;
static int x;

static void *work(void *unused) {
    x = 1;
    pthread_barrier_wait(&b);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&b, NULL, 1);
    pthread_create(&thread, NULL, work, NULL);
    assert(x == 1);
    pthread_join(thread, NULL);
    return 0;
}
