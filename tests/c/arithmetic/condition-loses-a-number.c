//@ truth:   assert=unsafe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     the producer does not wait until the first number is taken, and overwrites it
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static unsigned slot, received;
static int count;

static void *consume(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&filled, &m);
        received += slot;
        count--;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t consumer;
    unsigned numbers[2] = {__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()};
    if (numbers[0] * 5 + numbers[1] * 3 != 0x7654321u)
        return 0;
    pthread_create(&consumer, NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        slot = numbers[i];
        count++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    pthread_join(consumer, NULL);
    assert(received == numbers[0] + numbers[1]);
    return 0;
}
