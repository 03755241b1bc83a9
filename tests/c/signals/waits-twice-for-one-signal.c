//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     a signal that is sent once ends one wait; the second wait never ends, also as compiled by gcc
#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void *waiter(void *unused) {
    int number;
    sigwait(&set, &number);
    sigwait(&set, &number);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
