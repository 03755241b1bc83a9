//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     each thread sees its own value, null at first
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int first, second;

static void *work(void *unused) {
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &second);
    assert(pthread_getspecific(key) == &second);
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(pthread_key_create(&key, NULL) == 0);
    assert(pthread_setspecific(key, &first) == 0);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(pthread_getspecific(key) == &first);
    assert(pthread_key_delete(key) == 0);
    return 0;
}
