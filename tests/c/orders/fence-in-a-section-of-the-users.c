//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown
//@ expect:  explicit race=unknown
//@ why:     the lock is made of sections, which nobody says to order nothing; the fences in them say nothing either
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);

static int is_held, data;
static atomic_int count;

static void lock(void) {
    __VERIFIER_atomic_begin();
    atomic_thread_fence(memory_order_relaxed);
    __VERIFIER_assume(!is_held);
    is_held = 1;
    __VERIFIER_atomic_end();
}

static void unlock(void) {
    __VERIFIER_atomic_begin();
    atomic_thread_fence(memory_order_relaxed);
    __VERIFIER_assume(is_held);
    is_held = 0;
    __VERIFIER_atomic_end();
}

static void *run(void *unused) {
    lock();
    data++;
    unlock();
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
