//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      the lock is picked before the threads begin, and all of them use that one

// DR §6, "Dynamic locking": one lock of a set is picked at the start; each thread writes its number four times to
// both globals under it.
//
// A static analysis knows only that `lock` may be any of the set, and different locks protect nothing. That the
// pointer no longer changes once the threads run, and is the same for all, is what makes one transaction
// of the critical section.
//
// As in `raddle check FILE -D THREADS=3`: two threads or three; LOCKS and TURNS are parameters too. Each thread has a
// variable of its own, so that it is known who has ended when `main` looks at the globals.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef LOCKS
#define LOCKS 3
#endif
#ifndef TURNS
#define TURNS 4
#endif

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t locks[LOCKS];
static pthread_mutex_t *lock;
static int x, y;

static void *work(void *argument) {
    int number = (int)(long)argument;
    pthread_mutex_lock(lock);
    for (int turn = 0; turn < TURNS; turn++) {
        x = number;
        y = number;
    }
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&locks[i], NULL);
    lock = &locks[__VERIFIER_nondet_uint() % LOCKS];
    pthread_create(&first, NULL, work, (void *)1);
    pthread_create(&second, NULL, work, (void *)2);
#if THREADS > 2
    pthread_t third;
    pthread_create(&third, NULL, work, (void *)3);
    pthread_join(third, NULL);
#endif
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(x == y);
    return 0;
}
