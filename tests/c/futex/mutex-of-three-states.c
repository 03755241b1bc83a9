//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who waits says so by 2, and keeps saying so until the lock is free
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The mutex of Drepper's "Futexes are tricky": 0 free, 1 taken, 2 taken and waited for. */
static atomic_int state;
static int inside;

static void lock(void) {
    int c = 0;
    if (atomic_compare_exchange_strong(&state, &c, 1))
        return;
    if (c != 2)
        c = atomic_exchange(&state, 2);
    while (c != 0) {
        syscall(SYS_futex, &state, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
        c = atomic_exchange(&state, 2);
    }
}

static void unlock(void) {
    if (atomic_fetch_sub(&state, 1) != 1) {
        state = 0;
        syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void *work(void *unused) {
    lock();
    inside++;
    assert(inside == 1);
    inside--;
    unlock();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
