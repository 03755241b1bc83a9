//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ options: --max-threads 4
//@ why:     two threads are enough to make `count` two
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *work(void *unused) {
    assert(++count < 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (1)
        pthread_create(&thread, 0, work, 0);
}
