//@ truth:   assert=safe race=unsafe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:     both threads may load the pointer before either clears it
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) shared;

static void *work(void *unused) {
    char *mine = atomic_load(&shared);
    atomic_store(&shared, NULL);
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
