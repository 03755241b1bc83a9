//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      every value is there from the start, so no compare-and-swap succeeds and nothing is written

// DR Fig. 5 and §6: each thread looks for a value that the table holds, and finds it.
//
// As in `raddle check FILE -D THREADS=7`, there may be up to eight threads.
// Thread i looks for 10i+5. Its hash is i, and the value lies one bucket further.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

enum { E = 0, SIZE = 10 };
enum { TABLE_FULL, INSERTED, FOUND };

static int T[SIZE] = {99, 5, 15, 25, 35, 45, 55, 65, 75, E};

static int find_or_put(int v) {
    int hash = v / 10;
    for (int i = 0; i < SIZE; i++) {
        int index = (i + hash) % SIZE;
        if (__sync_bool_compare_and_swap(&T[index], E, v))
            return INSERTED;
        else if (T[index] == v)
            return FOUND;
    }
    return TABLE_FULL;
}

static void *work(void *argument) {
    int number = (int)(long)argument;
    assert(find_or_put(10 * number + 5) == FOUND);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
