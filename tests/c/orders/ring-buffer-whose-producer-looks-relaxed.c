//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the producer learns by a relaxed load that a slot is free, and writes it unordered with the read of the consumer before it
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 1

static int slots[SIZE];
static atomic_uint head, tail;

static int put(int value) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_relaxed) == SIZE)
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
