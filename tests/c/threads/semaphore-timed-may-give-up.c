//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody posts, so that the wait ends with an error
#include <assert.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t s;
    struct timespec end = {1, 0};
    sem_init(&s, 0, 0);
    assert(sem_timedwait(&s, &end) == 0);
    return 0;
}
