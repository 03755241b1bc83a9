//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the two additions are two steps, and the other thread may see the counter between
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int odd;

static void *work(void *unused) {
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&x, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    odd = atomic_load(&x) & 1;
    pthread_join(thread, NULL);
    assert(!odd);
    return 0;
}
