//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `q` points to `y` when `look` reads first, and to `x` before it reads again
//@ why:     a condition that compares the two pointers, and does not ask whether `q` will be assigned, misses it
#include <assert.h>
#include <pthread.h>

static int x, y;
static int has_read;
static int *q = &y;

static void *look(void *argument) {
    int *p = argument;
    int before = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    __atomic_store_n(&has_read, 1, __ATOMIC_SEQ_CST);
    int after = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    assert(before == after);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, &x);
    if (__atomic_load_n(&has_read, __ATOMIC_SEQ_CST))
        q = &x;
    __atomic_store_n(q, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, NULL);
    return 0;
}
