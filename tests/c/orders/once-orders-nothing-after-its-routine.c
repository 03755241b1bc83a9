//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the thread that ran the routine goes on before it tells, relaxed, that the data is there
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, data, seen;
static atomic_int ready;

static void make(void) { table = 7; }

static void *run(void *unused) {
    pthread_once(&once, make);
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        pthread_once(&once, make);
        seen = data;
    }
    pthread_join(thread, NULL);
    return 0;
}
