//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   both threads may read 0 before either writes 1
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(count == 2);
    return 0;
}
