//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     each may hold the lock that the other spins for
//@ why:     under gcc it hangs in each of three runs with usleep(100000) after each pthread_spin_lock
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
    pthread_spin_lock(&b);
    pthread_spin_lock(&a);
    pthread_spin_unlock(&a);
    pthread_spin_unlock(&b);
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
