//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   of two posts one finds the semaphore at `SEM_VALUE_MAX` and gives -1, so they do not both succeed (gcc and glibc 2.39: the assertion fails)
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef SEM_VALUE_MAX
#define SEM_VALUE_MAX 2147483647
#endif

static sem_t s;
static int other;

static void *post(void *unused) {
    other = sem_post(&s);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&s, 0, SEM_VALUE_MAX - 1);
    pthread_create(&t, 0, post, 0);
    int own = sem_post(&s);
    pthread_join(t, 0);
    assert(own == 0 && other == 0);
    return 0;
}
