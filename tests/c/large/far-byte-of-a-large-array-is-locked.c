//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   both threads write the far byte with the lock, and bytes beside it that nobody else does
#include <assert.h>
#include <pthread.h>

struct {
    pthread_mutex_t m;
    char room[1 << 20];
} shared = {.m = PTHREAD_MUTEX_INITIALIZER};

void *work(void *unused)
{
    pthread_mutex_lock(&shared.m);
    shared.room[1000000]++;
    pthread_mutex_unlock(&shared.m);
    shared.room[1000001] = 5;
    return 0;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    pthread_mutex_lock(&shared.m);
    shared.room[1000000]++;
    pthread_mutex_unlock(&shared.m);
    shared.room[999999] = 7;
    pthread_join(other, 0);
    assert(shared.room[1000000] == 2);
    assert(shared.room[1000001] == 5 && shared.room[999999] == 7);
    assert(shared.room[0] == 0 && shared.room[(1 << 20) - 1] == 0);
    return 0;
}
