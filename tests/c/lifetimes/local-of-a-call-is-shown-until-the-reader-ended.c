//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the call returns only after the thread that reads its local has ended
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic shown;

static void *reader(void *unused) {
    int *seen = shown;
    return (void *)(long)(seen ? *seen : 0);
}

static void show(int value) {
    pthread_t thread;
    int mine = value;
    shown = &mine;
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
}

int main(void) {
    show(1);
    show(2);
    return 0;
}
