//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the exchange is one step, so that only one thread gets 0
#include <assert.h>
#include <pthread.h>

static int flag;
static int x;

int __VERIFIER_atomic_exchange(int *place, int value) {
    int old = *place;
    *place = value;
    return old;
}

static void *work(void *unused) {
    if (__VERIFIER_atomic_exchange(&flag, 1) == 0)
        x++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
