//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     a number below zero becomes a large one where it meets an unsigned; 41 times 43 has no other factors below 100
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int level;
static unsigned limit = 100;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
    int amount = *(int *)argument;
    pthread_mutex_lock(&m);
    if (amount > -1000 && amount < 1000 && level + amount < limit)
        level += amount;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a > 0 || a < -100 || b > 0 || b < -100 || a * b != 41 * 43)
        return 0;
    pthread_create(&one, NULL, add, &a);
    pthread_create(&two, NULL, add, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(level == a + b);
    return 0;
}
