//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the word is changed before the wake, so a wait either is not begun or is woken
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

static atomic_int is_set;
static int data;

static void *work(void *unused) {
    while (!is_set)
        syscall(SYS_futex, &is_set, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    data = 1;
    is_set = 1;
    syscall(SYS_futex, &is_set, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
