//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe uninitialized=safe
//@ why:   a copy of a mutex that was made by `pthread_mutex_init` is none, says POSIX (2.9.9)
#include <assert.h>
#include <pthread.h>

struct counter {
    pthread_mutex_t mutex;
    int value;
};

static void *add(void *argument) {
    struct counter *counter = argument;
    pthread_mutex_lock(&counter->mutex);
    counter->value++;
    pthread_mutex_unlock(&counter->mutex);
    return 0;
}

int main(void) {
    struct counter first;
    pthread_mutex_init(&first.mutex, 0);
    first.value = 3;
    struct counter counter = first;
    pthread_t thread;
    pthread_create(&thread, 0, add, &counter);
    add(&counter);
    pthread_join(thread, 0);
    assert(counter.value == 5);
    return 0;
}
