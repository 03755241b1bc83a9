//@ truth:   assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe
//@ why:     a wait that ends for no reason sees the order to work before all indices are set, and a job is done twice, as in a public parallel loop
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER, go = PTHREAD_COND_INITIALIZER;
static int waiting, action, runs[2];
static long next[2];

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_signal(&idle);
    while (action == 0)
        pthread_cond_wait(&go, &lock);
    pthread_mutex_unlock(&lock);
    for (int owner = 0; owner < 2; owner++)
        for (long i; (i = __sync_fetch_and_add(&next[owner], 2)) < 2;)
            runs[i]++;
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_mutex_lock(&lock);
    while (!waiting)
        pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
    next[0] = 0;
    action = 1;
    next[1] = 1;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&go);
    pthread_mutex_unlock(&lock);
    pthread_join(worker, 0);
    assert(runs[0] == 1);
    return 0;
}
