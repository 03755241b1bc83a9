//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread that holds the spin lock releases it before it ends
#include <pthread.h>

static pthread_spinlock_t l;

static void *use(void *unused) {
    pthread_spin_lock(&l);
    pthread_spin_unlock(&l);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&first, NULL, use, NULL);
    pthread_join(first, NULL);
    pthread_create(&second, NULL, use, NULL);
    for (;;) {
    }
}
