//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     both threads add to `total` without a lock, whatever `cos` gives
#include <math.h>
#include <pthread.h>

static double total;

static void *worker(void *argument) {
    total += cos(2);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
