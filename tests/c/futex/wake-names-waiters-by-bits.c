//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a wake with bits leaves alone who waits for none of them at the same word
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READERS = 1, WRITERS = 2 };

static atomic_int word;

static void *wait_for(void *unused) {
    while (!atomic_load(&word))
        syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, WRITERS);
    return unused;
}

static long wake(int bits) {
    return syscall(SYS_futex, &word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, bits);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for, NULL);
    assert(wake(READERS) == 0);
    atomic_store(&word, 1);
    wake(READERS | WRITERS);
    pthread_join(thread, NULL);
    return 0;
}
