//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the writing end is closed, so that the reader sees the end of the pipe
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
    char byte;
    while (read(ends[0], &byte, 1) == 1)
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    pipe(ends);
    pthread_create(&thread, NULL, reader, NULL);
    write(ends[1], "x", 1);
    close(ends[1]);
    pthread_join(thread, NULL);
    close(ends[0]);
    return 0;
}
