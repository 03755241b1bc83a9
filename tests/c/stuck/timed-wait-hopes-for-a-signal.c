//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the watchdog posts only if its wait ends without a time-out; nobody signals, and a wake-up for no reason is no promise
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;

static void *watchdog(void *unused) {
    struct timespec soon = {0, 0};
    pthread_mutex_lock(&m);
    while (pthread_cond_timedwait(&c, &m, &soon) != 0) {
    }
    pthread_mutex_unlock(&m);
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t w;
    sem_init(&s, 0, 0);
    pthread_create(&w, NULL, watchdog, NULL);
    sem_wait(&s);
    return 0;
}
