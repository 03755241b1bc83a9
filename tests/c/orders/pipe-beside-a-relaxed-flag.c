//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ expect:  reference race=unknown
//@ why:     the byte in the pipe comes after the data, which no rule of memory orders says
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static int data, seen;
static atomic_int count;

static void *send(void *unused) {
    data = 42;
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return write(ends[1], "x", 1) == 1 ? unused : NULL;
}

int main(void) {
    pthread_t thread;
    char byte;
    if (pipe(ends))
        return 1;
    pthread_create(&thread, NULL, send, NULL);
    if (read(ends[0], &byte, 1) == 1)
        seen = data;
    pthread_join(thread, NULL);
    return 0;
}
