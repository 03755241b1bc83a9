//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both take `a` first, so whoever has it goes on, and `main` ends the process in the end; under gcc it does
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t a, b;

static void *idle(void *unused) {
    for (;;) {
        sched_yield();
    }
    return unused;
}

static void *right(void *unused) {
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    return unused;
}

int main(void) {
    pthread_t i, r;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&i, NULL, idle, NULL);
    pthread_create(&r, NULL, right, NULL);
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    pthread_join(r, NULL);
    return 0;
}
