//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     the only other thread was joined before `main` waits, so that nobody can signal
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int closed;

static void *close_once_more(void *unused) {
    pthread_mutex_lock(&lock);
    closed++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, close_once_more, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&lock);
    while (closed)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
