//@ truth: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ options: --no-spurious
//@ why:   a wait may still end by its time-out
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;
static struct timespec soon;

static void *work(void *argument)
{
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    if (!is_ready)
        pthread_cond_timedwait(&condition, &lock, &soon);
    assert(is_ready);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
