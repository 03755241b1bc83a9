//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both take `a` first, so whoever has it goes on; under gcc the program ends
#include <pthread.h>
#include <sched.h>

static pthread_spinlock_t a, b;

static void *idle(void *unused) {
    for (;;) {
        sched_yield();
    }
    return unused;
}

static void *right(void *unused) {
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t i, r;
    pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&i, NULL, idle, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    pthread_join(r, NULL);
    return 0;
}
