//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the struct is freed when the thread has ended
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    long first, second;
};

static _Atomic struct pair *shared;

static void *writer(void *unused)
{
    struct pair ones = {1, 1};
    atomic_store(shared, ones);
    return 0;
}

int main(void)
{
    shared = malloc(sizeof *shared);
    if (!shared)
        return 0;
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_join(thread, 0);
    free((void *)shared);
    return 0;
}
