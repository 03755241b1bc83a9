//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the reader gets the byte after the writer has written the variable
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int shared;

static void *writer(void *unused) {
    shared = 7;
    write(ends[1], "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    char byte;
    pipe(ends);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(ends[0], &byte, 1) == 1);
    assert(byte == 'x' && shared == 7);
    pthread_join(thread, NULL);
    return 0;
}
