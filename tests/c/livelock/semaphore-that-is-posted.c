//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread posts in the end; the program of gcc ends at once
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *poster(void *unused) {
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t p;
    sem_init(&s, 0, 0);
    pthread_create(&p, NULL, poster, NULL);
    while (sem_trywait(&s) != 0) {
    }
    pthread_join(p, NULL);
    return 0;
}
