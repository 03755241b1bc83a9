//@ truth:   assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ expect:   reference deadlock=unknown
//@ why:     the block is left without popping, so the thread exits through a buffer on a part of the stack that has ended: undefined in POSIX, and glibc reads it
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
    early(1);
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
