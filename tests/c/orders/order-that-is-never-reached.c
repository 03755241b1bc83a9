//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `verbose` is 0, so nothing relaxed is ever done; the mutex protects the rest
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int verbose;
static atomic_int lines;

static void *work(void *unused) {
    if (verbose)
        atomic_fetch_add_explicit(&lines, 1, memory_order_relaxed);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    atomic_store_explicit(&lines, 0, memory_order_relaxed);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return atomic_load_explicit(&lines, memory_order_relaxed);
}
