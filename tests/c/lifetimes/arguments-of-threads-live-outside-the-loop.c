//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the arguments are elements of an array of `main`, which lives until all threads are joined
#include <assert.h>
#include <pthread.h>

static void *raise_by_one(void *argument) {
    ++*(int *)argument;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    int a[2];
    for (int i = 0; i < 2; i++) {
        a[i] = i;
        pthread_create(&threads[i], 0, raise_by_one, &a[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(a[0] + a[1] == 3);
    return 0;
}
