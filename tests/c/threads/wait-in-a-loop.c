//@ truth: assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe
//@ why:   whoever wakes up looks again
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *prepare(void *unused) {
    pthread_mutex_lock(&m);
    is_ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    pthread_mutex_lock(&m);
    while (!is_ready)
        pthread_cond_wait(&changed, &m);
    assert(is_ready);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
