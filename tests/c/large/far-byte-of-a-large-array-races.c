//@ truth: assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   both threads write the byte a million bytes behind the lock, one of them without it (C11 5.1.2.4 p. 25)
#include <pthread.h>

struct {
    pthread_mutex_t m;
    char room[1 << 20];
} shared = {.m = PTHREAD_MUTEX_INITIALIZER};

void *work(void *unused)
{
    shared.room[1000000] = 2;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    pthread_mutex_lock(&shared.m);
    shared.room[1000000] = 1;
    pthread_mutex_unlock(&shared.m);
    pthread_join(other, 0);
    return 0;
}
