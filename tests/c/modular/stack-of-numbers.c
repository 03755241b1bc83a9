//@ truth:   memory=safe
//@ options: --property memory --max-threads 5
//@ expect:  reference memory=unknown
//@ expect:   static memory=safe
//@ why:     a thread looks for room under the lock before it pushes, and for a number before it pops
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { ROOM = 2 };
static int numbers[ROOM], top;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    if (__VERIFIER_nondet_int()) {
        if (top < ROOM)
            numbers[top++] = 1;
    } else if (top > 0) {
        numbers[--top] = 0;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
