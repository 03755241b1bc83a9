//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both hold the lock for reading, and the relaxed flag orders nothing: the thread writes `x` before it gives the lock back, main reads it
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, seen;
static atomic_int written;

static void *work(void *unused) {
    x = 1;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    atomic_store_explicit(&written, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (atomic_load_explicit(&written, memory_order_relaxed)) {
        pthread_rwlock_rdlock(&lock);
        seen = x;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
