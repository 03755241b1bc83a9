//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the word is acquired and released; the waits in the kernel order nothing more
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void) {
    while (atomic_exchange_explicit(&word, 1, memory_order_acquire))
        syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
}

static void unlock(void) {
    atomic_store_explicit(&word, 0, memory_order_release);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void *run(void *unused) {
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    run(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}
