//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     trying a spin lock that is held gives EBUSY
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_spinlock_t l;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    assert(pthread_spin_trylock(&l) == 0);
    assert(pthread_spin_trylock(&l) == EBUSY);
    pthread_spin_unlock(&l);
    assert(pthread_spin_trylock(&l) == 0);
    pthread_spin_unlock(&l);
    return 0;
}
