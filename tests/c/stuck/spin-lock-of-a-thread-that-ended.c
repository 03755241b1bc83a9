//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     its holder has ended without an unlock, and nobody else unlocks it
#include <pthread.h>
#include <sched.h>

static pthread_spinlock_t l;

static void *idle(void *unused) {
    for (;;) {
        sched_yield();
    }
    return unused;
}

static void *holder(void *unused) {
    pthread_spin_lock(&l);
    return unused;
}

int main(void) {
    pthread_t i, h;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&i, NULL, idle, NULL);
    pthread_create(&h, NULL, holder, NULL);
    pthread_join(h, NULL);
    pthread_spin_lock(&l);
    return 0;
}
