//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   what the other has added between the load and the store is overwritten
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    unsigned count, sum;
};

static _Atomic struct pair shared;

static void *adder(void *unused)
{
    struct pair seen = shared;
    seen.count += 1;
    seen.sum += 5;
    shared = seen;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, adder, 0);
    adder(0);
    pthread_join(thread, 0);
    struct pair end = shared;
    assert(end.count == 2 && end.sum == 10);
    return 0;
}
