//@ truth: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:   the reader waits for the end of the pipe, whose writing end nobody closes; gcc's program hangs
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
    pthread_join(thread, NULL);
    return 0;
}
