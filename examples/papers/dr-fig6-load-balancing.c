//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      whichever way the work is dealt out, the two workers count in different cells

// DR Fig. 6: two workers each count up a cell through a pointer; which cell is decided while the program runs.
//
// The paper counts to 1024, as `raddle check FILE -D COUNT=1024` does.
#include <assert.h>
#include <pthread.h>

#ifndef COUNT
#define COUNT 6
#endif

extern int __VERIFIER_nondet_int(void);

static int x, y;
static int *p1, *p2;

static void *worker(void *argument) {
    int *p = argument;
    while (*p < COUNT)
        (*p)++;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    if (__VERIFIER_nondet_int()) {
        p1 = &x;
        p2 = &y;
    } else {
        p1 = &y;
        p2 = &x;
    }
    pthread_create(&t1, NULL, worker, p1);
    pthread_create(&t2, NULL, worker, p2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x + y == 2 * COUNT);
    return 0;
}
