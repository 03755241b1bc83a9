//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   what one thread writes to `errno` no other sees
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused) {
    strtol("1", NULL, 99);
    assert(errno == EINVAL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    errno = ERANGE;
    pthread_join(thread, NULL);
    assert(errno == ERANGE);
    return 0;
}
