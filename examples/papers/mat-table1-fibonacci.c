//@ truth:    assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:      if one thread has added all its turns before the other begins, `j` is 1 + ROUNDS * (ROUNDS + 1)

// MAT Table 1, rows E1, E3 and E6: two threads add to each other's sums, with 2, 10 and 50 turns. In each turn a
// thread has two accesses that conflict with the other, R(j) W(i) or R(i) W(j); `main` has one access at the end.
//
//     raddle check --engine token examples/papers/mat-table1-fibonacci.c -- -DROUNDS=10

#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static unsigned i = 1, j = 1;

static void *adds_to_i(void *unused) {
    for (int turn = 0; turn < ROUNDS; turn++)
        i += j;
    return 0;
}

static void *adds_to_j(void *unused) {
    for (int turn = 0; turn < ROUNDS; turn++)
        j += i;
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, adds_to_i, 0);
    pthread_create(&other, 0, adds_to_j, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(j != 1 + ROUNDS * (ROUNDS + 1));
    return 0;
}
