//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     other processes may know the name
#define _GNU_SOURCE
#include <fcntl.h>
#include <semaphore.h>

int main(void) {
    sem_t *s = sem_open("/raddle", O_CREAT, 0600, 1);
    if (s != SEM_FAILED)
        sem_close(s);
    return 0;
}
