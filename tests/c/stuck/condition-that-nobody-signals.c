//@ truth:   assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe
//@ why:     POSIX, pthread_cond_wait: it blocks until somebody signals; that it may wake for no reason is no promise
//@ why:     under gcc the waiter stays in pthread_cond_wait
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *server(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t s;
    pthread_create(&s, NULL, server, NULL);
    pthread_mutex_lock(&m);
    while (!ready) {
        pthread_cond_wait(&c, &m);
    }
    pthread_mutex_unlock(&m);
    return 0;
}
