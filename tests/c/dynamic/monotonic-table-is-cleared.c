//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `memset` empties the bucket between the two attempts
//@ why:     a condition `T[0] != E` that looks for stores in the text of the program, and not in what it calls, misses it
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int T[2] = {5, 0}; // E is 0
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
        memset(T, 0, sizeof T);
    pthread_join(thread, NULL);
    return 0;
}
