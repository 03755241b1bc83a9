//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference assert=unknown race=unknown deadlock=unknown memory=unknown lock-misuse=unknown uninitialized=unknown undefined=unknown
//@ why:     other processes may know the name
#define _GNU_SOURCE
#include <semaphore.h>

int main(void) {
    sem_unlink("/raddle");
    return 0;
}
