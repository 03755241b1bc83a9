//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the exchange fails if one of the members has changed, and says what is there now
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    unsigned count, sum;
};

static _Atomic struct pair shared;

static void *adder(void *unused)
{
    struct pair seen = atomic_load(&shared), next;
    do {
        next.count = seen.count + 1;
        next.sum = seen.sum + 5;
    } while (!atomic_compare_exchange_strong(&shared, &seen, next));
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
