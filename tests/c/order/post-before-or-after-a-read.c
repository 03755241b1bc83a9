//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `post` may be called before `x` is read, and then the other thread writes `x` at the same time
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int x;
static int post(void) { return sem_post(&ready); }
static void *work(void *unused) {
    sem_wait(&ready);
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    int seen = x + post();
    pthread_join(thread, NULL);
    assert(seen == 0);
    return 0;
}
