//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     between the look at the count and the wait the last one may come and wake nobody, as in public latches and barriers
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static atomic_int left = 1;

static void *count_down(void *unused) {
    if (atomic_fetch_sub(&left, 1) == 1)
        pthread_cond_broadcast(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count_down, 0);
    pthread_mutex_lock(&lock);
    while (left > 0)
        pthread_cond_wait(&done, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
