//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     the lock of the struct is held whenever its bounds are moved or looked at
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static struct {
    pthread_mutex_t lock;
    int low, high;
} range = {.lock = PTHREAD_MUTEX_INITIALIZER, .low = 0, .high = 5};

static void *work(void *unused) {
    pthread_mutex_lock(&range.lock);
    if (range.low < 2)
        range.low++;
    if (range.high > 3)
        range.high--;
    assert(range.low < range.high);
    pthread_mutex_unlock(&range.lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
