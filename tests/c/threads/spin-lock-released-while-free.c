//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     POSIX: the results of `pthread_spin_unlock` are undefined if the lock is not held by the calling thread; glibc stores 1
#include <pthread.h>

int main(void) {
    pthread_spinlock_t l;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_unlock(&l);
    return 0;
}
