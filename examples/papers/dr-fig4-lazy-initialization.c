//@ truth:    assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:      the plain test of `data` may meet the other thread's compare-and-swap, a race in the sense of C11

// DR Fig. 4: the first worker that needs the data reads it in; whoever comes second throws its copy away.
//
// The paper has 1024 numbers and two threads. Both are parameters here, as in
// `raddle check FILE -D SHARE=512 -D THREADS=2`; SHARE is what each worker processes.
// See dr-fig4-lazy-initialization-atomic.c for the program without the race.
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
    if (data == NULL) {
        int *content = read_from_disk(SHARE * THREADS);
        if (!__sync_bool_compare_and_swap(&data, NULL, content)) // W
            free(content);
    }
    for (int i = 0; i < SHARE; i++) {
        int index = i + tid * SHARE;
        assert(data[index] == 3 * index); // R; stands for `process`
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
