//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   there are two processors unless `--cpus` says otherwise
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t threads[2];
    for (long i = 0; i < processors; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (long i = 0; i < processors; i++)
        pthread_join(threads[i], NULL);
    assert(count == processors);
    return 0;
}
