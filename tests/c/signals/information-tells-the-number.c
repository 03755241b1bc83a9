//@ truth: assert=safe race=safe deadlock=safe memory=safe uninitialized=safe lock-misuse=safe
//@ why:   the signal that is waited for is the one that was sent, and the information says so, and who sent it
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *waiter(void *unused) {
    siginfo_t information;
    int number = sigwaitinfo(&set, &information);
    assert(number == SIGUSR1);
    assert(information.si_signo == number);
    assert(information.si_pid == getpid() && information.si_code <= 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, waiter, 0);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, 0);
    return 0;
}
