//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   bytes are copied one after the other
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char pair[2];

static void *other(void *unused) {
    memcpy(pair, "ab", 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    assert(!pair[0] || pair[1]);
    pthread_join(thread, NULL);
    return 0;
}
