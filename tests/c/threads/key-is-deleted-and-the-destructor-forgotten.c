//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the destructor of a deleted key does not run, so nobody sets `ran`
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int ran;

static void destroy(void *value) {
    *(int *)value = 1;
}

static void *work(void *unused) {
    pthread_setspecific(key, &ran);
    pthread_key_delete(key);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(ran);
    return 0;
}
