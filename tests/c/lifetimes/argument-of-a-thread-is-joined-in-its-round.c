//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   every thread is joined before the round ends in which its argument lives; gcc -fsanitize=address has nothing to say
#include <assert.h>
#include <pthread.h>

static int sum;

static void *add(void *argument) {
    sum += *(int *)argument;
    return 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        int a = i + 1;
        pthread_create(&thread, 0, add, &a);
        pthread_join(thread, 0);
    }
    assert(sum == 3);
    return 0;
}
