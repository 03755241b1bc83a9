//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the relaxed store of another thread ends the release sequence, so whoever reads 2 synchronises with nobody
#include <pthread.h>
#include <stdatomic.h>

static int data, seen;
static atomic_int count;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&count, 1, memory_order_release);
    return unused;
}

static void *overwrite(void *unused) {
    if (atomic_load_explicit(&count, memory_order_relaxed) == 1)
        atomic_store_explicit(&count, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t sender, writer;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&writer, NULL, overwrite, NULL);
    if (atomic_load_explicit(&count, memory_order_acquire) == 2)
        seen = data;
    pthread_join(sender, NULL);
    pthread_join(writer, NULL);
    return 0;
}
