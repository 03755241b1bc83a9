//@ truth:   assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:     nobody signals, but the time-out is promised
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_closed = 1;

int main(void) {
    struct timespec soon = {1, 0};
    pthread_mutex_lock(&lock);
    while (is_closed)
        if (pthread_cond_timedwait(&changed, &lock, &soon) != 0)
            break;
    pthread_mutex_unlock(&lock);
    return 0;
}
