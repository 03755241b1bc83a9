//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     two readers may hold the lock at a time, and both write
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l;
static int x;

static void *work(void *unused) {
    pthread_rwlock_rdlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_rwlock_init(&l, NULL);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    pthread_rwlock_destroy(&l);
    return 0;
}
