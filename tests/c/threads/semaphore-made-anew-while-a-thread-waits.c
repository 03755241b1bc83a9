//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ expect:   reference deadlock=unknown
//@ why:     POSIX: initialising a semaphore that is initialised is undefined; with glibc a thread that waits may never be woken
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *unused) {
    sem_wait(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&s, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_init(&s, 0, 1);
    pthread_join(thread, NULL);
    return 0;
}
