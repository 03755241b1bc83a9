//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe undefined=unsafe
//@ why:   the divisor may still be zero (C17 6.5.5p5; on x86 the process ends with SIGFPE); what comes after that does not happen
#include <assert.h>
#include <pthread.h>

static int divisor, quotient;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *divide(void *unused) {
    pthread_mutex_lock(&lock);
    quotient = 10 / divisor;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, divide, 0);
    pthread_mutex_lock(&lock);
    divisor = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    assert(quotient == 5);
    return 0;
}
