//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     main reads `x` only if the semaphore came in time
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;
static int x;

static void *work(void *unused) {
    x = 1;
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    sem_init(&s, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    if (sem_timedwait(&s, &end) == 0)
        assert(x == 1);
    else
        assert(errno == ETIMEDOUT);
    pthread_join(thread, NULL);
    return 0;
}
