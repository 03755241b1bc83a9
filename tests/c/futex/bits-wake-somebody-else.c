//@ truth: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:   the reader waits for bit 1, and only those that wait for bit 2 are woken
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic unsigned turn;

static void *reader(void *unused) {
    while (atomic_load(&turn) == 0)
        syscall(SYS_futex, &turn, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reader, NULL);
    atomic_store(&turn, 1);
    syscall(SYS_futex, &turn, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2);
    pthread_join(thread, NULL);
    return 0;
}
