//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who gave up does not write; the others are alone
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static sem_t s;
static int x, y, z;

static void *work(void *unused) {
    struct timespec end = {1, 0};
    if (pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &end) == 0) {
        x++;
        pthread_mutex_unlock(&m);
    }
    if (pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &end) == 0) {
        y++;
        pthread_rwlock_unlock(&l);
    }
    if (pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &end) == 0) {
        assert(y <= 2);
        pthread_rwlock_unlock(&l);
    }
    if (sem_clockwait(&s, CLOCK_MONOTONIC, &end) == 0) {
        z++;
        sem_post(&s);
    } else
        assert(errno == ETIMEDOUT);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&s, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x <= 2 && y <= 2 && z <= 2);
    return 0;
}
