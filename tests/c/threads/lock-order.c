//@ truth: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:   each thread may hold one lock and wait for the other
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

#define BOTH(a, b)              \
    pthread_mutex_lock(&(a));   \
    pthread_mutex_lock(&(b));   \
    pthread_mutex_unlock(&(b)); \
    pthread_mutex_unlock(&(a))

static void *other(void *unused) {
    BOTH(right, left);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    BOTH(left, right);
    pthread_join(thread, NULL);
    return 0;
}
