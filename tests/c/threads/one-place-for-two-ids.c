//@ truth: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:   the second `pthread_create` may write `id` before the first thread reads it, and nothing orders the two
#include <assert.h>
#include <pthread.h>

static pthread_t id;

static void *look(void *argument)
{
    assert(pthread_equal(id, pthread_self()));
    return NULL;
}

static void *work(void *argument) { return NULL; }

int main(void)
{
    pthread_t first;
    pthread_create(&id, NULL, look, NULL);
    first = id;
    pthread_create(&id, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(id, NULL);
    return 0;
}
