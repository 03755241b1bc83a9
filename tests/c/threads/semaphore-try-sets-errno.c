//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     trying an empty semaphore gives -1 and EAGAIN, and the value can be read
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    int value;
    sem_init(&s, 0, 1);
    assert(sem_getvalue(&s, &value) == 0 && value == 1);
    assert(sem_trywait(&s) == 0);
    assert(sem_getvalue(&s, &value) == 0 && value == 0);
    assert(sem_trywait(&s) == -1 && errno == EAGAIN);
    assert(sem_init(&s, 0, -1) == -1 && errno == EINVAL);
    return 0;
}
