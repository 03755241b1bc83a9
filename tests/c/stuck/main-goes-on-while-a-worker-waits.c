//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     nobody posts, and `main` never returns
#include <pthread.h>
#include <semaphore.h>

static sem_t s;

static void *worker(void *unused) {
    sem_wait(&s);
    return unused;
}

int main(void) {
    pthread_t w;
    sem_init(&s, 0, 0);
    pthread_create(&w, NULL, worker, NULL);
    for (;;) {
    }
}
