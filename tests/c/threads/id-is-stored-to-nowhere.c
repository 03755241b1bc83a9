//@ truth: assert=safe race=safe deadlock=safe memory=unsafe lock-misuse=safe
//@ why:   `pthread_create` stores the id through the null pointer, before the thread runs; with glibc it crashes there
#include <assert.h>
#include <pthread.h>

static void *work(void *argument)
{
    assert(0);
    return NULL;
}

int main(void)
{
    pthread_create(NULL, NULL, work, NULL);
    return 0;
}
