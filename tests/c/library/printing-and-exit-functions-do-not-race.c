//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   streams and the table of `atexit` are locked in the library
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void bye(void) {
}

static void *other(void *unused) {
    atexit(bye);
    puts("o");
    fputs("d", stderr);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atexit(bye);
    putchar('m');
    return 0;
}
