//@ truth: assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   the struct may be freed before the thread stores into it
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
    free((void *)shared);
    pthread_join(thread, 0);
    return 0;
}
