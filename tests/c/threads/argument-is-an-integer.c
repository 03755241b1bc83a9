//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the argument is a number in a pointer
#include <assert.h>
#include <pthread.h>

static int sum[2];

static void *work(void *argument) {
    int index = (int)(long)argument;
    sum[index] = index + 1;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)(long)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(sum[0] + sum[1] == 3);
    return 0;
}
