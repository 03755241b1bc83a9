//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the one that waits asked for another bit, so nobody is woken
#define _GNU_SOURCE
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
        syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, NULL, NULL, READERS);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for, NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, WRITERS);
    pthread_join(thread, NULL);
    return 0;
}
