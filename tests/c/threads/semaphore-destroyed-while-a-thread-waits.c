//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     POSIX: destroying a semaphore on which threads are blocked is undefined
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
    sem_destroy(&s);
    return 0;
}
