//@ truth: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:   Linux lets a reader wait on although somebody closes its descriptor
#include <pthread.h>
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
    pthread_create(&thread, NULL, reader, NULL);
    close(ends[0]);
    pthread_join(thread, NULL);
    return 0;
}
