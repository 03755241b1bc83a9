//@ truth:   assert=unsafe
//@ options: --property assert --max-threads 5
//@ why:     each thread has its own copy, and another one counts up between the two sections
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char count;

static void copy(unsigned char *to) {
    *to = count;
}

static void *work(void *unused) {
    unsigned char own;
    pthread_mutex_lock(&lock);
    if (count < 200)
        count++;
    copy(&own);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(own == count);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
