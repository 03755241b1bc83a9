//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     gcc's program runs through: what is raised or sent to the process while it is blocked waits, once
#include <assert.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    sigset_t set, waiting;
    int number = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    raise(SIGUSR1);
    sigpending(&waiting);
    assert(sigismember(&waiting, SIGUSR1) && !sigismember(&waiting, SIGUSR2));
    assert(sigwait(&set, &number) == 0 && number == SIGUSR1);
    sigpending(&waiting);
    assert(!sigismember(&waiting, SIGUSR1));
    kill(getpid(), SIGUSR2);
    assert(sigwaitinfo(&set, NULL) == SIGUSR2);
    struct timespec limit = {0, 1000};
    assert(sigtimedwait(&set, NULL, &limit) == -1);
    return 0;
}
