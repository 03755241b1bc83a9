//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     both are counted up under the lock before it is let go
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char ones, twos;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (ones < 200) {
        ones++;
        twos++;
    }
    assert(ones == twos);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
