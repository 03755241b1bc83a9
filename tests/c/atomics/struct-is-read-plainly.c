//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the builtin is indivisible for other indivisible accesses, not for a plain copy of the struct: the reader may see half of it
#include <assert.h>
#include <pthread.h>

struct pair {
    long first, second;
};

static struct pair shared;

static void *writer(void *unused)
{
    struct pair ones = {1, 1};
    __atomic_store(&shared, &ones, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct pair seen = shared;
    assert(seen.first == seen.second);
    pthread_join(thread, 0);
    return 0;
}
