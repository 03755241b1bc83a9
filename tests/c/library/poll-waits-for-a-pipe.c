//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   without a limit of time it returns when there is something to read
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
    write(ends[1], "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    struct pollfd asked = {ends[0], POLLIN, 0};
    assert(poll(&asked, 1, -1) == 1);
    assert(asked.revents == POLLIN);
    pthread_join(thread, NULL);
    return 0;
}
