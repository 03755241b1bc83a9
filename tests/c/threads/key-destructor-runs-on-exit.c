//@ truth:   assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     `pthread_exit` runs the destructor too, which finds what it must not
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int x;

static void end(void *value) {
    assert(value != &x);
}

static void *work(void *unused) {
    pthread_setspecific(key, &x);
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, end);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
