//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the mask belongs to its thread; what a thread inherited is restored without anybody looking at it
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *worker(void *unused) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    assert(!sigismember(&old, SIGPIPE));
    pthread_create(&thread, NULL, worker, NULL);
    pthread_sigmask(SIG_SETMASK, &old, &set);
    assert(sigismember(&set, SIGPIPE));
    pthread_join(thread, NULL);
    return 0;
}
