//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody joins the thread, and the flag orders nothing, as the thread sanitizer of gcc reports; that it is gone when main looks makes no difference
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int done;

static void *work(void *unused) {
    data = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        ;
    seen = data;
    return 0;
}
