//@ truth: memory=unsafe
//@ options: --property memory
//@ why:   which of the two is written depends on the other thread; one of them is `const`
#include <pthread.h>

static int variable;
static const int constant = 1;
static int *_Atomic target = &variable;

static void *change(void *argument) {
    (void)argument;
    target = (int *)&constant;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    *target = 5;
    pthread_join(thread, 0);
    return 0;
}
