//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      what is there stays there, and a value is written only into an empty bucket

// DR Fig. 5 and §6: threads with even numbers find a value that the table holds, the others put a new one.
//
// As in `raddle check FILE -D THREADS=4`, there may be up to eight threads.
// Thread 2k looks for 10k+5, which lies one bucket after its hash. Thread 2k+1 has 31+k, finds the buckets 3 and 4
// occupied and puts it into the first empty one after them.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

enum { E = 0, SIZE = 10 };
enum { TABLE_FULL, INSERTED, FOUND };

static int T[SIZE] = {99, 5, 15, 25, 35, E, E, E, E, E};

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

static int value_of(int number) {
    return number % 2 == 0 ? 10 * (number / 2) + 5 : 31 + number / 2;
}

static void *work(void *argument) {
    int number = (int)(long)argument;
    assert(find_or_put(value_of(number)) == (number % 2 == 0 ? FOUND : INSERTED));
    return NULL;
}

static int is_present(int v) {
    for (int i = 0; i < SIZE; i++)
        if (T[i] == v)
            return 1;
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert(is_present(value_of(i)));
    return 0;
}
