//@ truth: assert=safe memory=unsafe
//@ options: --property assert --property memory
//@ why:   the call returns between the thread's look at `shown` and its look at `mine` (C11 6.2.4p6)
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic shown;

static void *reader(void *unused) {
    int *seen = shown;
    return (void *)(long)(seen ? *seen : 0);
}

static void show(int value) {
    int mine = value;
    shown = &mine;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    show(1);
    pthread_join(thread, 0);
    return 0;
}
