//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     nobody made the semaphore
#include <semaphore.h>

int main(void) {
    sem_t s;
    sem_post(&s);
    return 0;
}
