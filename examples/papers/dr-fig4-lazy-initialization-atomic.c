//@ truth:    assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:      `data` is only accessed atomically, and what it points to is written before the pointer is published

// DR Fig. 4 with atomic reads of `data`, as C11 wants them; see dr-fig4-lazy-initialization.c.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef SHARE
#define SHARE 1
#endif

static int *data = NULL;

static int *read_from_disk(int size) {
    int *content = malloc(size * sizeof(int));
    if (content == NULL)
        abort();
    for (int i = 0; i < size; i++)
        content[i] = 3 * i;
    return content;
}

static void *worker_thread(void *argument) {
    long tid = (long)argument;
    int *current = __atomic_load_n(&data, __ATOMIC_SEQ_CST);
    if (current == NULL) {
        int *content = read_from_disk(SHARE * THREADS);
        if (!__sync_bool_compare_and_swap(&data, NULL, content)) // W
            free(content);
        current = __atomic_load_n(&data, __ATOMIC_SEQ_CST);
    }
    for (int i = 0; i < SHARE; i++) {
        int index = i + tid * SHARE;
        assert(current[index] == 3 * index); // R; stands for `process`
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker_thread, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
