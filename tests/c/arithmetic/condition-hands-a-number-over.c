//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the consumer takes the number only if it is there, under the lock that protects it
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static unsigned slot, received;
static int count;

static void *consume(void *unused) {
    pthread_mutex_lock(&m);
    if (count == 0)
        pthread_cond_wait(&filled, &m);
    if (count > 0) // a wait may end without a signal
        received = 2 * slot + 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t consumer;
    unsigned number = __VERIFIER_nondet_uint();
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_mutex_lock(&m);
    slot = number;
    count = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
    pthread_join(consumer, NULL);
    assert(received == 0 || (received % 2 == 1 && (received >> 1) == (number & 0x7fffffffu)));
    return 0;
}
