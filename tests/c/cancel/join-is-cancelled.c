//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the outer thread waits for one that waits for the gate, until it is cancelled; the inner one can still be joined
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
    pthread_cancel(outer);
    pthread_join(outer, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_mutex_unlock(&gate);
    pthread_join(inner, NULL);
    return 0;
}
