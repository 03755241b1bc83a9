//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the other thread may set the flag before it is looked at
#include <pthread.h>
#include <raddle.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused) {
    (void)unused;
    atomic_store(&flag, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    if (atomic_load(&flag))
        raddle_unreachable();
    pthread_join(thread, NULL);
    return 0;
}
