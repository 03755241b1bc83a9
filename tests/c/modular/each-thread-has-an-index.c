//@ truth:   memory=safe
//@ options: --property memory --max-threads 5
//@ expect:   static memory=safe
//@ why:     main hands out the indices 0 to 2
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int own[3];

static void *work(void *given) {
    int index = (int)(long)given;
    own[index] = index;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int index = 0; index < 3; index++)
        pthread_create(&thread, 0, work, (void *)(long)index);
    return 0;
}
