//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a spin lock that was destroyed may be initialised and used again
#include <pthread.h>

int main(void) {
    pthread_spinlock_t l;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&l);
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    pthread_spin_destroy(&l);
    return 0;
}
