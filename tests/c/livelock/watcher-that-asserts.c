//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the watcher goes round for ever, but all it would leave its loop for is a failure
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *watcher(void *unused) {
    for (;;) {
        assert(atomic_load(&x) < 2);
    }
    return unused;
}

int main(void) {
    pthread_t w;
    pthread_create(&w, NULL, watcher, NULL);
    atomic_store(&x, 1);
    pthread_join(w, NULL);
    return 0;
}
