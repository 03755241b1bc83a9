//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=unsafe
//@ why:     nobody may join a detached thread
#include <threads.h>

static int work(void *unused) {
    return 0;
}

int main(void) {
    thrd_t thread;
    thrd_create(&thread, work, NULL);
    thrd_detach(thread);
    thrd_join(thread, NULL);
    return 0;
}
