//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     nobody posts, and every attempt gives EAGAIN; the program of gcc hangs in every run
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *poster(void *unused) {
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
