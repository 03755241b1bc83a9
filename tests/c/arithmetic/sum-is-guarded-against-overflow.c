//@ truth:   overflow=safe
//@ options: --property overflow
//@ expect:  reference overflow=unknown
//@ why:     the guard and the sum are under one lock
#include <limits.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int balance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *pay_in(void *argument) {
    int amount = *(int *)argument;
    pthread_mutex_lock(&m);
    if (amount >= 0 && balance <= INT_MAX - amount)
        balance += amount;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    pthread_create(&one, NULL, pay_in, &a);
    pthread_create(&two, NULL, pay_in, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return balance < 0;
}
