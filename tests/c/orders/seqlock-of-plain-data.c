//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the reader looks at plain data that is perhaps being written, and only then whether it was: a race, whatever it does with the values
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int data;

static void *writes(void *unused) {
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    data = 1;
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writes, NULL);
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int seen = data;
    atomic_thread_fence(memory_order_acquire);
    if (before == atomic_load_explicit(&sequence, memory_order_relaxed) && before == 2 && seen != 1)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
