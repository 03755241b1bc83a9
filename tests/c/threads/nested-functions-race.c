//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninitialized=safe
//@ why:   two threads run a nested function that adds to a local of `main` without a lock
#include <assert.h>
#include <pthread.h>

int main(void) {
    int total = 0;
    void *add(void *amount) {
        total += *(int *)amount;
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
