//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     the value is null when the thread ends, so that the destructor never counts
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

static void end(void *value) {
    x++;
}

static void *work(void *unused) {
    pthread_setspecific(key, &x);
    pthread_setspecific(key, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, end);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(x == 1);
    return 0;
}
