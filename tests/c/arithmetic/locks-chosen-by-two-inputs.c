//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     two keys may give two locks, which protect nothing from one another
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static unsigned total;

struct order {
    unsigned key, amount;
};

static void *add(void *argument) {
    struct order *order = argument;
    unsigned i = (order->key ^ order->key >> 16) & 1;
    pthread_mutex_lock(&locks[i]);
    total += order->amount;
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    struct order a = {__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()};
    struct order b = {__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()};
    if (a.key * 7 - b.key != 0x2468ace1u || a.amount * b.amount != 35 || a.amount < 2 || b.amount < 2)
        return 0;
    pthread_create(&one, NULL, add, &a);
    pthread_create(&two, NULL, add, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(total == a.amount + b.amount);
    return 0;
}
