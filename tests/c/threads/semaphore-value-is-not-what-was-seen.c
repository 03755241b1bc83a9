//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the other thread may take the unit between the look and the wait, and keeps it
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *work(void *unused) {
    int value;
    sem_getvalue(&s, &value);
    if (value > 0)
        sem_wait(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&s, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
