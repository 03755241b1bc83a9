//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the consumer looks whether anything is left before it looks whether anybody still produces, as in the test of a public lock-free queue
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, producers = 1;

static void *produce(void *unused) {
    count++;
    producers--;
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    int taken = 0;
    for (;;) {
        int is_empty = count == 0;
        int is_over = producers == 0;
        if (is_empty && is_over)
            break;
        if (!is_empty) {
            count--;
            taken++;
        }
    }
    assert(taken == 1);
    pthread_join(producer, 0);
    return 0;
}
