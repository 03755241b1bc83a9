//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the producer releases what it put in by `tail`, the consumer what it took out by `head`; each reads its own index relaxed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 1

static int slots[SIZE];
static atomic_uint head, tail;

static int put(int value) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return 0;
    slots[t % SIZE] = value;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return 1;
}

static int take(int *value) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    *value = slots[h % SIZE];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return 1;
}

static void *produce(void *unused) {
    for (int i = 1; i <= 2;)
        i += put(i);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    int value;
    for (int i = 1; i <= 2;)
        if (take(&value)) {
            assert(value == i);
            i++;
        }
    pthread_join(thread, NULL);
    return 0;
}
