//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the functions take and return less than `pthread_create` expects, which works wherever pthreads are used
#include <assert.h>
#include <pthread.h>

static int x, y;

static void first() {
    x = 1;
}

static int second(void) {
    y = 1;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, (void *(*)(void *))first, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, (void *(*)(void *))second, NULL);
    pthread_join(b, NULL);
    assert(x == 1 && y == 1);
    return 0;
}
