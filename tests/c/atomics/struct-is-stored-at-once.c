//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   loads, stores and exchanges of an `_Atomic` struct are indivisible (C17 6.2.6.1p9, 7.17.7), so both members are of one store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long first, second;
};

static _Atomic(struct pair) shared;

static void *writer(void *unused)
{
    struct pair ones = {1, 1}, twos = {2, 2};
    atomic_store(&shared, ones);
    shared = twos;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    struct pair seen = atomic_load(&shared);
    assert(seen.first == seen.second);
    seen = shared;
    assert(seen.first == seen.second);
    struct pair threes = {3, 3};
    seen = atomic_exchange(&shared, threes);
    assert(seen.first == seen.second);
    pthread_join(thread, 0);
    return 0;
}
