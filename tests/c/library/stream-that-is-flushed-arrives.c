//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   what is flushed can be read
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
    fflush(stream);
    pthread_join(thread, NULL);
    fclose(stream);
    return 0;
}
