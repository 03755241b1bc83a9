//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the variable is written after the byte that tells of it
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int shared;

static void *writer(void *unused) {
    write(ends[1], "x", 1);
    shared = 7;
    return unused;
}

int main(void) {
    pthread_t thread;
    char byte;
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    read(ends[0], &byte, 1);
    assert(shared == 7);
    pthread_join(thread, NULL);
    return 0;
}
