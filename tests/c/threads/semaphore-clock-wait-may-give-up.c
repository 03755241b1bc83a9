//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the other thread may hold the only unit for too long
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static void *work(void *unused) {
    sem_wait(&s);
    sem_post(&s);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec end = {1, 0};
    sem_init(&s, 0, 1);
    pthread_create(&thread, NULL, work, NULL);
    assert(sem_clockwait(&s, CLOCK_MONOTONIC, &end) == 0);
    sem_post(&s);
    pthread_join(thread, NULL);
    return 0;
}
