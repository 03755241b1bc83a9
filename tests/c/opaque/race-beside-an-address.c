//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both threads write `owner` without a lock; what they write is only an address
#include <pthread.h>

extern int first, second;
static int *owner;

static void *worker(void *argument) {
    owner = argument;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, worker, &first);
    pthread_create(&threads[1], 0, worker, &second);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
