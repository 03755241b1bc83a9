//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ why:   `limit` is never set, and the branch looks at it (C17 6.2.4p6, 6.3.2.1p2); valgrind says so of gcc's program
#include <assert.h>
#include <pthread.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    int limit;
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    if (count > limit) {
        count = 1;
    }
    assert(count == 1);
    return 0;
}
