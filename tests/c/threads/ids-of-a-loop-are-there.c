//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   each thread reads only its own element, which was stored before it ran, and `main` writes others meanwhile
#include <assert.h>
#include <pthread.h>

static pthread_t ids[2];

static void *work(void *argument)
{
    pthread_t *own = argument;
    assert(pthread_equal(*own, pthread_self()));
    return NULL;
}

int main(void)
{
    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], NULL, work, &ids[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
