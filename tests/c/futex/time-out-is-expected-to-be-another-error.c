//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a wait whose time is over gives ETIMEDOUT, also on Linux
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

static atomic_int word = 1;

int main(void) {
    struct timespec soon = {0, 1000};
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0) == -1 && errno == EAGAIN);
    long result = syscall(SYS_futex, &word, FUTEX_WAIT, 1, &soon, NULL, 0);
    assert(result == -1 && errno == EAGAIN);
    result = syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 1, &soon, NULL, FUTEX_BITSET_MATCH_ANY);
    assert(result == -1 && errno == ETIMEDOUT);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0);
    return 0;
}
