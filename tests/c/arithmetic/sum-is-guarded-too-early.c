//@ truth:   overflow=unsafe
//@ options: --property overflow
//@ expect:  reference overflow=unknown
//@ why:     between the guard and the sum the other thread may pay in too
#include <limits.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int balance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *pay_in(void *argument) {
    int amount = *(int *)argument;
    pthread_mutex_lock(&m);
    int is_possible = amount >= 0 && balance <= INT_MAX - amount;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (is_possible)
        balance += amount;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if ((unsigned)a * 3 - (unsigned)b != 0x40000007u)
        return 0;
    pthread_create(&one, NULL, pay_in, &a);
    pthread_create(&two, NULL, pay_in, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return balance < 0;
}
