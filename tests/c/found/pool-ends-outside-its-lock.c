//@ truth:   assert=safe race=unsafe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     a worker that wakes for no reason looks whether it is over, and waits again after all were told so, as in a public parallel loop
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER, go = PTHREAD_COND_INITIALIZER;
static int waiting, action;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_signal(&idle);
    while (action == 0)
        pthread_cond_wait(&go, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&lock);
    while (!waiting)
        pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
    action = -1;
    pthread_cond_broadcast(&go);
    pthread_join(worker, 0);
    return 0;
}
