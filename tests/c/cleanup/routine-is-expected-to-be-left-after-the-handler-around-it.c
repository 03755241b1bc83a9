//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     glibc leaves the routine by a handler of its own, which is newer than the one around it: the flag is 0 by then
#include <assert.h>
#include <pthread.h>

static pthread_once_t flag = PTHREAD_ONCE_INIT;
static int tries, seen;

static void outer(void *unused) {
    seen = *(int *)&flag;
}

static void routine(void) {
    if (tries++ == 0)
        pthread_exit(0);
}

static void *work(void *unused) {
    pthread_cleanup_push(outer, 0);
    pthread_once(&flag, routine);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(seen != 0);
    pthread_once(&flag, routine);
    assert(tries == 2);
    return 0;
}
