//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `memcpy` brings an empty bucket into the table between the two attempts
//@ why:     a condition `T[0] != E` that looks for stores of the bucket's own width misses the bytes
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int T[2] = {5, 0}; // E is 0
static const int empty[2];
static int has_failed;

static void *put(void *unused) {
    int first = __sync_bool_compare_and_swap(&T[0], 0, 7);
    __atomic_store_n(&has_failed, 1, __ATOMIC_SEQ_CST);
    int second = __sync_bool_compare_and_swap(&T[0], 0, 7);
    assert(!first && !second);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, put, NULL);
    if (__atomic_load_n(&has_failed, __ATOMIC_SEQ_CST))
        memcpy(T, empty, sizeof T);
    pthread_join(thread, NULL);
    return 0;
}
