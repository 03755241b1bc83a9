//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the semaphore lets one thread in at a time
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *work(void *unused) {
    sem_wait(&s);
    x++;
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(sem_init(&s, 0, 1) == 0);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    assert(sem_destroy(&s) == 0);
    return 0;
}
