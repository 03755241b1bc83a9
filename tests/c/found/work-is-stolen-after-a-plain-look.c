//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a thief reads plainly how far others are, who count on atomically, as in a public parallel loop
#include <pthread.h>

enum { WORKERS = 2, JOBS = 2 };
static long next[WORKERS] = {0, 1};

static long steal(void) {
    int slowest = 0;
    for (int i = 1; i < WORKERS; i++)
        if (next[i] < next[slowest])
            slowest = i;
    return __sync_fetch_and_add(&next[slowest], WORKERS);
}

static void *work(void *own) {
    while (__sync_fetch_and_add((long *)own, WORKERS) < JOBS)
        ;
    while (steal() < JOBS)
        ;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, &next[0]);
    pthread_create(&two, 0, work, &next[1]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
