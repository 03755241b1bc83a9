//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     gcc's builtins are atomic on objects of any integer type
#include <assert.h>
#include <pthread.h>

static int x;
static unsigned char byte;

static void *work(void *unused) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
    __atomic_or_fetch(&byte, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(x == 2 && byte == 1);
    return 0;
}
