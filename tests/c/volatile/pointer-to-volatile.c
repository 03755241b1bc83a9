//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --volatile atomic
//@ why:     what is accessed through a pointer to a volatile type is volatile, so both accesses are atomic
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *place) {
    volatile long *cell = place;
    *cell = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    volatile long *cell = malloc(sizeof *cell);
    pthread_create(&thread, NULL, writer, (void *)cell);
    *cell = 2;
    pthread_join(thread, NULL);
    free((void *)cell);
    return 0;
}
