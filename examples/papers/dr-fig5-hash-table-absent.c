//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      a value is written only into an empty bucket, and stays there

// DR Fig. 5 and §6: each thread puts a value of its own into an empty table; in the end all are there.
//
// As in `raddle check FILE -D THREADS=4`, there may be up to ten threads.
// Thread i has 3i+6, so two or three values share each hash, and buckets overflow into the next.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

enum { E = 0, SIZE = 10 };
enum { TABLE_FULL, INSERTED, FOUND };

static int T[SIZE];

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
    return 3 * number + 6;
}

static void *work(void *argument) {
    int number = (int)(long)argument;
    assert(find_or_put(value_of(number)) == INSERTED);
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
