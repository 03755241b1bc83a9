//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `pthread_exit` runs the latest handler first: glibc gives 431
#include <assert.h>
#include <pthread.h>

static int order;

static void handler(void *number) {
    order = order * 10 + (int)(long)number;
}

static void deep(void *result) {
    pthread_cleanup_push(handler, (void *)3);
    pthread_exit(result);
    pthread_cleanup_pop(0);
}

static void *work(void *result) {
    pthread_cleanup_push(handler, (void *)1);
    pthread_cleanup_push(handler, (void *)2);
    pthread_cleanup_pop(0);
    pthread_cleanup_push(handler, (void *)4);
    pthread_cleanup_pop(1);
    deep(result);
    pthread_cleanup_pop(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, &order);
    pthread_join(thread, &result);
    assert(result == &order);
    assert(order == 413);
    return 0;
}
