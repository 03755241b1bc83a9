//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ options: --no-spurious
//@ why:     the signal may come before the wait, which then never ends
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *work(void *argument)
{
    pthread_cond_signal(&condition);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
