//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=safe
//@ why:   nobody writes `total` while the thread reads it, and where `total` is never changes; the cases, the label and the loop are of the one that waits
#include <assert.h>
#include <pthread.h>

int main(void) {
    long total = 7;
    void *read_total(void *unused) {
        (void)unused;
        return (void *)total;
    }
    pthread_t thread;
    int rounds = 0;
    pthread_create(&thread, 0, read_total, 0);
again:
    for (int i = 0; i < 2; i++)
        switch (i) {
        case 0:
            break;
        default:
            rounds++;
        }
    if (rounds < 2)
        goto again;
    void *result;
    pthread_join(thread, &result);
    assert((long)result == 7 && rounds == 2);
    return 0;
}
