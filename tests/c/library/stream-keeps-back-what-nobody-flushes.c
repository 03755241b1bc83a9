//@ truth: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:   the line stays in the buffer of the stream, so the reader waits for ever, as with gcc
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
    char byte;
    read(ends[0], &byte, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    FILE *stream = fdopen(ends[1], "w");
    pthread_create(&thread, NULL, reader, NULL);
    fputs("a\n", stream);
    pthread_join(thread, NULL);
    fclose(stream);
    return 0;
}
