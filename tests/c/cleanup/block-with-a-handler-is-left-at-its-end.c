//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the handler is popped before the function returns
#include <pthread.h>

static void handler(void *unused) {
}

static void early(int leaves) {
    pthread_cleanup_push(handler, 0);
    if (leaves)
        return;
    pthread_cleanup_pop(1);
}

static void *work(void *unused) {
    early(0);
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
