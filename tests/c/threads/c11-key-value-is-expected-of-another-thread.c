//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the value belongs to `main`; a deleted key has no destructor either, so nobody sets `ran`
#include <assert.h>
#include <threads.h>

static tss_t key;
static int ran;

static void destroy(void *value) {
    *(int *)value = 1;
}

static int work(void *unused) {
    assert(tss_get(key) == NULL);
    tss_set(key, &ran);
    tss_delete(key);
    return 0;
}

int main(void) {
    thrd_t thread;
    tss_create(&key, destroy);
    tss_set(key, &key);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    assert(ran);
    return 0;
}
