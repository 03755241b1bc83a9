//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     who takes the pointer frees it, the other finds null
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) shared;

static void *work(void *unused) {
    char *mine = atomic_exchange(&shared, NULL);
    free(mine);
    return unused;
}

int main(void) {
    pthread_t thread;
    shared = malloc(1);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
