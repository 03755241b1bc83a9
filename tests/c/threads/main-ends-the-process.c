//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   nobody waits for the thread, but the process ends with main whatever it does
#include <pthread.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&never);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&never);
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    return 0;
}
