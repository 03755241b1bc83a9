//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   however long it waits, the other thread need not have been there
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *worker(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    poll(NULL, 0, 100);
    assert(done);
    pthread_join(thread, NULL);
    return 0;
}
