//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   gcc's generic builtins work on structs of any size, indivisibly among each other
#include <assert.h>
#include <pthread.h>

struct triple {
    long first, second, third;
};

static struct triple shared;

static void *writer(void *unused)
{
    struct triple ones = {1, 1, 1}, old;
    __atomic_exchange(&shared, &ones, &old, __ATOMIC_SEQ_CST);
    assert(old.first == old.third);
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct triple seen, twos = {2, 2, 2};
    __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
    assert(seen.first == seen.second && seen.second == seen.third);
    if (!__atomic_compare_exchange(&shared, &seen, &twos, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        assert(seen.first == 1 && seen.third == 1);
    pthread_join(thread, 0);
    return 0;
}
