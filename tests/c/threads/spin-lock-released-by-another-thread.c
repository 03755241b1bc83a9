//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     POSIX: the results of `pthread_spin_unlock` are undefined if the lock is not held by the calling thread; glibc stores 1
#include <pthread.h>

static pthread_spinlock_t l;

static void *release(void *unused) {
    pthread_spin_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_create(&thread, NULL, release, NULL);
    pthread_join(thread, NULL);
    pthread_spin_destroy(&l);
    return 0;
}
