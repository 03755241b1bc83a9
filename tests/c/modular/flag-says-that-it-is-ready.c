//@ truth:   assert=safe
//@ options: --property assert --max-threads 5
//@ expect:  reference assert=unknown
//@ expect:   static assert=safe
//@ why:     the number is set before the flag, both under the lock
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number = 1, users;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    number = 0;
    users = 3;
    for (int at = 0; at < users; at++)
        number++;
    users = 0;
    if (number > 3)
        number = 3;
    assert(users == 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(users == 0 && number <= 3);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
