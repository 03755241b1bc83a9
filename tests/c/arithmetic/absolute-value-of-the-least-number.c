//@ truth:   overflow=unsafe
//@ options: --property overflow
//@ expect:  reference overflow=unknown
//@ why:     the least number has no counterpart above zero
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int values[2];

static void *make_positive(void *argument) {
    int *value = argument;
    if (*value < 0)
        *value = -*value;
    return NULL;
}

int main(void) {
    pthread_t thread;
    values[0] = __VERIFIER_nondet_int() % 1000;
    values[1] = (int)(__VERIFIER_nondet_uint() * 2654435761u + 12345u);
    pthread_create(&thread, NULL, make_positive, &values[0]);
    make_positive(&values[1]);
    pthread_join(thread, NULL);
    return 0;
}
