//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   glibc stores the id in `pthread_create` before it starts the thread, which runs after that
#include <assert.h>
#include <pthread.h>

static pthread_t id;

static void *work(void *argument)
{
    assert(pthread_equal(id, pthread_self()));
    return NULL;
}

int main(void)
{
    pthread_create(&id, NULL, work, NULL);
    pthread_join(id, NULL);
    return 0;
}
