//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     the semaphore is destroyed when it is posted
#include <semaphore.h>

static sem_t s;

int main(void) {
    sem_init(&s, 0, 1);
    sem_destroy(&s);
    sem_post(&s);
    return 0;
}
