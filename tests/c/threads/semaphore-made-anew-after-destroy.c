//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a semaphore that was destroyed may be initialised again
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *unused) {
    sem_wait(&s);
    return unused;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        pthread_t thread;
        sem_init(&s, 0, 0);
        pthread_create(&thread, NULL, work, NULL);
        sem_post(&s);
        pthread_join(thread, NULL);
        sem_destroy(&s);
    }
    return 0;
}
