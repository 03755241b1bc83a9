//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     POSIX, sem_wait: the caller blocks until it can take the semaphore; each thread may hold what the other waits for
//@ why:     under gcc it hangs in each of three runs with usleep(100000) after each sem_wait
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
    sem_wait(&b);
    sem_wait(&a);
    sem_post(&a);
    sem_post(&b);
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
