//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   whatever time it is, the deadline is a time; nobody waits for ever, as the wait may end by its time-out
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;

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
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!is_ready) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += 1;
        deadline.tv_nsec += 250000000;
        if (deadline.tv_nsec >= 1000000000) {
            deadline.tv_nsec -= 1000000000;
            deadline.tv_sec++;
        }
        assert(deadline.tv_nsec < 1000000000);
        pthread_cond_timedwait(&condition, &lock, &deadline);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
