//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nothing of what is not modelled is ever called
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static int wanted;

static void handler(void *unused) {
}

int main(void) {
    if (wanted) {
        struct timespec end = {1, 0};
        sem_t *s = sem_open("/raddle", O_CREAT, 0600, 1);
        sem_close(s);
        sem_unlink("/raddle");
        pthread_cleanup_push(handler, NULL);
        pthread_kill(pthread_self(), 0);
        pthread_tryjoin_np(pthread_self(), NULL);
        pthread_timedjoin_np(pthread_self(), NULL, &end);
        pthread_cleanup_pop(0);
    }
    return 0;
}
