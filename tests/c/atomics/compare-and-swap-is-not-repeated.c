//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a swap that finds another value changes nothing
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
    int seen = __sync_fetch_and_add(&x, 0);
    __sync_bool_compare_and_swap(&x, seen, seen + 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2);
    return 0;
}
