//@ truth:   memory=safe
//@ options: --property memory
//@ why:     main hands out the indices 0 to 9
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int own[10];

static void *work(void *given) {
    int index = (int)(long)given;
    own[index] = index;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int index = 0; index < 10; index++)
        pthread_create(&thread, 0, work, (void *)(long)index);
    return 0;
}
