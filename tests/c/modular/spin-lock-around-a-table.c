//@ truth:   memory=safe
//@ options: --property memory --max-threads 5
//@ expect:  reference memory=unknown
//@ expect:   static memory=safe
//@ why:     the index is cut to the size of the table, and moved under the lock
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_spinlock_t lock;
static int table[64];
static unsigned cursor = 13;

static void *work(void *unused) {
    pthread_spin_lock(&lock);
    cursor = (cursor * 5 + 1) & 63;
    table[cursor]++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, 0);
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
