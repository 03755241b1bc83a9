//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the guard has a block of its own, so the lock is released before the counter is touched
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
    {
        pthread_mutex_t *guard __attribute__((cleanup(unlock))) = lock();
    }
    if (count >= limit)
        return 0;
    count++;
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
