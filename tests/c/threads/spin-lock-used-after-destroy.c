//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     POSIX: the effect of using a spin lock after `pthread_spin_destroy` is undefined until it is initialised again
#include <pthread.h>

int main(void) {
    pthread_spinlock_t l;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&l);
    pthread_spin_lock(&l);
    return 0;
}
