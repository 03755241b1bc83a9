//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     only one thread can change 0 to 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static unsigned lock;
static int inside;

static bool try_lock(void) {
    bool got;
    unsigned expected = 0;
    __asm__ volatile("lock cmpxchgl %[new], %0; sete %1"
                     : "+m"(lock), "=q"(got), "+a"(expected)
                     : [new] "r"(1)
                     : "memory", "cc");
    return got;
}

static void unlock(void) {
    __asm__ volatile("movl %1, %0" : "=m"(lock) : "ri"(0) : "memory");
}

static void *work(void *unused) {
    if (try_lock()) {
        inside++;
        assert(inside == 1);
        inside--;
        unlock();
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
