//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninitialized=unsafe
//@ why:   the pointer that the id is stored through was never set
#include <pthread.h>

static void *work(void *argument) { return NULL; }

int main(void)
{
    pthread_t *id;
    pthread_create(id, NULL, work, NULL);
    return 0;
}
