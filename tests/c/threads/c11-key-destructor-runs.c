//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each thread has its own value, and the destructor gets it when the thread ends
#include <assert.h>
#include <threads.h>

static tss_t key;
static int x, ended;

static void end(void *value) {
    assert(value == &x);
    ended = 1;
}

static int work(void *unused) {
    assert(tss_get(key) == NULL);
    assert(tss_set(key, &x) == thrd_success);
    return 7;
}

int main(void) {
    thrd_t thread;
    int result;
    assert(tss_create(&key, end) == thrd_success);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, &result);
    assert(result == 7 && ended == 1);
    tss_delete(key);
    return 0;
}
