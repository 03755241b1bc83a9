//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=safe
//@ why:   the copy holds no mutex, but one is made in it before it is used; the other members are copied
#include <assert.h>
#include <pthread.h>

struct counter {
    pthread_mutex_t mutex;
    int value;
};

static const struct counter fresh = { PTHREAD_MUTEX_INITIALIZER, 3 };

static void *add(void *argument) {
    struct counter *counter = argument;
    pthread_mutex_lock(&counter->mutex);
    counter->value++;
    pthread_mutex_unlock(&counter->mutex);
    return 0;
}

int main(void) {
    struct counter counter = fresh;
    pthread_mutex_init(&counter.mutex, 0);
    pthread_t thread;
    pthread_create(&thread, 0, add, &counter);
    add(&counter);
    pthread_join(thread, 0);
    assert(counter.value == 5);
    return 0;
}
