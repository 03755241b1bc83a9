//@ truth:   memory=safe
//@ options: --property memory --max-threads 5
//@ expect:  reference memory=unknown
//@ expect:   static memory=safe
//@ why:     head and tail stay below the size under the lock
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { SIZE = 2 };
static int slots[SIZE], head, tail, used;

static void put(int value) {
    pthread_mutex_lock(&lock);
    if (used < SIZE) {
        slots[head] = value;
        head = (head + 1) % SIZE;
        used++;
    }
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    int value = -1;
    pthread_mutex_lock(&lock);
    if (used > 0) {
        value = slots[tail];
        tail = (tail + 1) % SIZE;
        used--;
    }
    pthread_mutex_unlock(&lock);
    return value;
}

static void *work(void *unused) {
    put(1);
    get();
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
