//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     POSIX, pthread_cond_timedwait: it returns ETIMEDOUT when the time has passed, and then the watchdog posts
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;

static void *watchdog(void *unused) {
    struct timespec soon = {0, 0};
    pthread_mutex_lock(&m);
    while (pthread_cond_timedwait(&c, &m, &soon) != ETIMEDOUT) {
    }
    pthread_mutex_unlock(&m);
    sem_post(&s);
    for (;;) {
    }
    return unused;
}

int main(void) {
    pthread_t w;
    sem_init(&s, 0, 0);
    pthread_create(&w, NULL, watchdog, NULL);
    sem_wait(&s);
    return 0;
}
