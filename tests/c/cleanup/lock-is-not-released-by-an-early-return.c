//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     without the attribute the early `return` keeps the lock, and the other thread waits for ever
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static pthread_mutex_t *lock(void) {
    pthread_mutex_lock(&mutex);
    return &mutex;
}

static void unlock(pthread_mutex_t **held) {
    pthread_mutex_unlock(*held);
}

static int add(int limit) {
    pthread_mutex_t *guard = lock();
    if (count >= limit)
        return 0;
    count++;
    unlock(&guard);
    return 1;
}

static void *work(void *unused) {
    while (add(3)) {
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(count == 3);
    return 0;
}
