//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who waits for `SIGTERM` waits for a user; the worker and the waiter share one flag, under a lock
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sigset_t set;
static int stop;

static void *waiter(void *unused) {
    int number = 0;
    assert(sigwait(&set, &number) == 0);
    assert(number == SIGINT || number == SIGTERM);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    int seen = stop;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(seen == 0 || seen == 1);
    return 0;
}
