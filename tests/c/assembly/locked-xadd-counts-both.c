//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the prefix makes the instruction one access
#include <assert.h>
#include <pthread.h>

static int count;

static int fetch_add(int *at, int by) {
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*at) : : "memory", "cc");
    return by;
}

static void *work(void *unused) {
    int old = fetch_add(&count, 1);
    assert(old == 0 || old == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(count == 2);
    return 0;
}
