//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a fence orders accesses of one thread, and two increments still meet
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
    x++;
    __asm__ volatile("mfence" ::: "memory");
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
