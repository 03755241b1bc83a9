//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody joins the detached thread, and it touches nothing that others do
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_detach(thread) == 0);
    return 0;
}
