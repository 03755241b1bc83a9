//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=safe
//@ why:   threads run a nested function of GNU C that uses what `main` declares, under a lock that `main` declares
#include <assert.h>
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int total = 0;
    void *add(void *amount) {
        pthread_mutex_lock(&mutex);
        total += *(int *)amount;
        pthread_mutex_unlock(&mutex);
        return 0;
    }
    int amounts[2] = { 3, 4 };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, add, &amounts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(total == 7);
    return 0;
}
