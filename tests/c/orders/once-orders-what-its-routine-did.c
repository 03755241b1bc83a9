//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     what the routine did comes before every return of `pthread_once`; the relaxed counter orders nothing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table;
static atomic_int count;

static void make(void) { table = 7; }

static int use(void) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    pthread_once(&once, make);
    return table;
}

static void *run(void *unused) {
    assert(use() == 7);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    assert(use() == 7);
    pthread_join(thread, NULL);
    return 0;
}
