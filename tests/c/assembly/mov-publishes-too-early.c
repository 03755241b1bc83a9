//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the flag is written before the data
#include <assert.h>
#include <pthread.h>

static int flag, data;

static void *work(void *unused) {
    __asm__ volatile("movl %1, %0" : "=m"(flag) : "r"(1) : "memory");
    data = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int seen;
    __asm__ volatile("movl %1, %0" : "=r"(seen) : "m"(flag) : "memory");
    if (seen)
        assert(data == 1);
    pthread_join(thread, 0);
    return 0;
}
