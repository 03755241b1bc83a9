//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who took the spin lock releases it, and it is destroyed when nobody holds it
#include <pthread.h>

static pthread_spinlock_t l;

static void *use(void *unused) {
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    pthread_spin_destroy(&l);
    return 0;
}
