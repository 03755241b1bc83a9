//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     waiting for a mutex is no point at which a thread is cancelled: three threads wait for ever
#include <assert.h>
#include <pthread.h>

static pthread_t inner, outer;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_gate(void *unused) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return unused;
}

static void *wait_for_inner(void *unused) {
    pthread_join(inner, NULL);
    return unused;
}

int main(void) {
    void *result;
    pthread_mutex_lock(&gate);
    pthread_create(&inner, NULL, wait_for_gate, NULL);
    pthread_create(&outer, NULL, wait_for_inner, NULL);
    pthread_cancel(inner);
    pthread_join(outer, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_unlock(&gate);
    pthread_join(inner, NULL);
    return 0;
}
