//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     after a failure `expected` is 1, so that the second attempt succeeds on a lock that is held
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int x;

static void *work(void *unused) {
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1)) {
    }
    x++;
    atomic_store(&lock, 0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
