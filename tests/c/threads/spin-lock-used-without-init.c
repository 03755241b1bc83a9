//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     POSIX: the results are undefined if a spin lock is used that was not initialised; with glibc on x86-64 zeros are a lock that is held, and the program spins for ever
#include <pthread.h>

static pthread_spinlock_t l;

int main(void) {
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return 0;
}
