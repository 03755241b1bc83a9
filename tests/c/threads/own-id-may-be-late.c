//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ options: --posix-create
//@ why:   POSIX does not say that the id is stored before the thread runs
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
