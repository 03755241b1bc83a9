//@ truth:   assert=safe
//@ options: --property assert
//@ expect:  reference assert=unknown
//@ why:     both threads compute the same lock from the same number
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_mutex_t locks[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static unsigned key, total;

static void *add(void *argument) {
    unsigned i = (key ^ key >> 16) & 3;
    pthread_mutex_lock(&locks[i]);
    total += *(unsigned *)argument;
    pthread_mutex_unlock(&locks[i]);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    key = __VERIFIER_nondet_uint();
    pthread_create(&one, NULL, add, &a);
    pthread_create(&two, NULL, add, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(total == a + b);
    return 0;
}
