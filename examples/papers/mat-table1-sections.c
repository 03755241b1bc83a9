//@ truth:    assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      if one thread has added all its turns before the other begins, the sums are ROUNDS + 1 and 1 + ROUNDS * (ROUNDS + 1)

// MAT Table 1, rows E2, E4, E5 and E7: two threads with 2, 10, 10 and 50 critical sections of four accesses each under
// one lock; `main` has two accesses at the end. With -DSAFE the assertion holds (row E5): the sums are never both even,
// because an even sum becomes odd again only by an odd one. Without the lock, both may add what the other was before.
//
//     raddle check --engine token examples/papers/mat-table1-sections.c -- -DROUNDS=10 -DSAFE

#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned i = 1, j = 1;

static void *adds_to_i(void *unused) {
    for (int turn = 0; turn < ROUNDS; turn++) {
        pthread_mutex_lock(&lock);
        i += j;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

static void *adds_to_j(void *unused) {
    for (int turn = 0; turn < ROUNDS; turn++) {
        pthread_mutex_lock(&lock);
        j += i;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, adds_to_i, 0);
    pthread_create(&other, 0, adds_to_j, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
#ifdef SAFE
    assert(i % 2 == 1 || j % 2 == 1);
#else
    assert(!(i == 1 + ROUNDS && j == 1 + ROUNDS * (ROUNDS + 1)));
#endif
    return 0;
}
