//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   each member is atomic, not both together, so a reader may come between the two stores
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    atomic_long first, second;
};

static struct pair shared;

static void *writer(void *unused)
{
    shared.first = 1;
    shared.second = 1;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    long first = shared.first, second = shared.second;
    assert(first == second);
    pthread_join(thread, 0);
    return 0;
}
