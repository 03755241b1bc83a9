//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `sem_post` gives -1 and EOVERFLOW at `SEM_VALUE_MAX` (gcc and glibc 2.39: the assertions hold)
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    sem_init(&s, 0, INT_MAX - 1);
    assert(sem_post(&s) == 0);
    assert(sem_post(&s) == -1);
    assert(errno == EOVERFLOW);
    return 0;
}
