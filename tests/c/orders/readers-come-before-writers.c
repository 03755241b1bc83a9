//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     whoever takes the lock for writing comes after those who gave it back as readers
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
        pthread_rwlock_wrlock(&lock);
        seen = x;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
