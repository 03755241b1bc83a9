//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   a full semaphore refuses a post and keeps its value; after a wait there is room for one (gcc and glibc 2.39: the assertions hold)
#include <assert.h>
#include <errno.h>
#include <semaphore.h>

int main(void) {
    sem_t s;
    int value;
    assert(sem_init(&s, 0, 2147483647) == 0);
    assert(sem_post(&s) == -1 && errno == EOVERFLOW);
    assert(sem_getvalue(&s, &value) == 0 && value == 2147483647);
    assert(sem_wait(&s) == 0 && sem_post(&s) == 0);
    assert(sem_post(&s) == -1);
    assert(sem_init(&s, 0, 2147483648u) == -1 && errno == EINVAL);
    return 0;
}
