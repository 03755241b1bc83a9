//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both threads read the counter that main goes on to change
#include <assert.h>
#include <pthread.h>

static void *work(void *argument) {
    int index = *(int *)argument;
    assert(index < 2);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], 0);
    return 0;
}
