//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the thread that holds the spin lock has ended without releasing it; under gcc the other thread spins for ever
#include <pthread.h>

static pthread_spinlock_t l;

static void *keep(void *unused) {
    pthread_spin_lock(&l);
    return unused;
}

static void *want(void *unused) {
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t keeper, wanting;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&keeper, NULL, keep, NULL);
    pthread_join(keeper, NULL);
    pthread_create(&wanting, NULL, want, NULL);
    for (;;) {
    }
}
