//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody posts, but `main` returns in the end, which ends the process (C17 5.1.2.2.3) and the wait with it
#include <pthread.h>
#include <semaphore.h>

extern int __VERIFIER_nondet_int(void);
static sem_t s;

static void *worker(void *unused) {
    sem_wait(&s);
    return unused;
}

int main(void) {
    pthread_t w;
    sem_init(&s, 0, 0);
    pthread_create(&w, NULL, worker, NULL);
    while (__VERIFIER_nondet_int()) {
    }
    return 0;
}
