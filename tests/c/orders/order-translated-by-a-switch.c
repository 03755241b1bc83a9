//@ truth:   assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the names of a library are translated when the program runs, and one of them to relaxed
#include <pthread.h>
#include <stdatomic.h>

enum library_order { library_relaxed, library_consume, library_acquire, library_release, library_full };

static int data, seen;
static int ready;

static inline int translated(enum library_order order) {
    switch (order) {
    case library_relaxed:
        return __ATOMIC_RELAXED;
    case library_consume:
        return __ATOMIC_CONSUME;
    case library_acquire:
        return __ATOMIC_ACQUIRE;
    case library_release:
        return __ATOMIC_RELEASE;
    default:
        return __ATOMIC_SEQ_CST;
    }
}

static void store(int *place, int value, enum library_order order) {
    __atomic_store_n(place, value, translated(order));
}

static int load(int *place, enum library_order order) {
    return __atomic_load_n(place, translated(order));
}

static void *send(void *unused) {
    data = 42;
    store(&ready, 1, library_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    if (load(&ready, library_relaxed))
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
