//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `thrd_exit` runs the destructor, which finds a value that it does not like
#include <assert.h>
#include <threads.h>

static tss_t key;
static int x;

static void end(void *value) {
    assert(value != &x);
}

static int work(void *unused) {
    tss_set(key, &x);
    thrd_exit(0);
}

int main(void) {
    thrd_t thread;
    tss_create(&key, end);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    return 0;
}
