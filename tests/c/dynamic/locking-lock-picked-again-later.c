//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     while `hold` holds the first lock, `main` picks the other and gets it at once
//@ why:     a condition that does not ask whether the pointer to the lock will be assigned misses it
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t *lock = &locks[0];
static int has_begun;
static int x;

static void *hold(void *unused) {
    pthread_mutex_t *mine = lock;
    pthread_mutex_lock(mine);
    x = 1;
    __atomic_store_n(&has_begun, 1, __ATOMIC_SEQ_CST);
    assert(x == 1);
    pthread_mutex_unlock(mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hold, NULL);
    if (__atomic_load_n(&has_begun, __ATOMIC_SEQ_CST)) {
        lock = &locks[1];
        pthread_mutex_lock(lock);
        x = 2;
        pthread_mutex_unlock(lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
